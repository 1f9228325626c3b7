// An algorithm that somebody has shared: it is read first, and runs when its reader says so.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import type { OwnAlgorithmText } from '#protocol/own-algorithm';
import { algorithmQuery, algorithmsQuery, skeletonUrl } from '../../api/algorithms';
import { Button, buttonClass } from '../../ui/button';
import { lazyPart } from '../../ui/lazy-part';
import { Loading } from '../../ui/notice';
import { MenuButton } from '../../ui/overlay';
import { PageHead } from '../../ui/page';
import { When } from '../../ui/when';
import { agree, isAgreed } from '../../write/agreed';
import { drafts } from '../../write/my-drafts';
import type { Program } from '../../write/program';
import { PageProblem } from '../about/PageProblem';
import { useCrumbs } from '../frame/crumbs';
import { CCAS } from './crumbs';
import { Consent } from './Consent';
import { Editor } from './Editor';
import { downloadText } from './files';
import css from './write.module.css';

/** Comes when its reader has agreed. */
const Course = lazyPart(async () => ({ default: (await import('./Course')).Course }));

export function ReadPage() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const kept = useQuery(algorithmQuery(id));
  if (kept.error !== null)
    return <PageProblem what="This algorithm" parent={CCAS} error={kept.error} onRetry={() => void kept.refetch()} />;
  return kept.data === undefined ? <Loading label="Loading the text" rows={6} /> : <Read key={id} kept={kept.data} />;
}

/** What its first version said of it stands here: nothing of the text has been run for it. */
function Read({ kept }: { readonly kept: OwnAlgorithmText }) {
  const { declaration, program, version, created_at, text } = kept;
  useCrumbs(declaration.name, CCAS);
  const [agreed, setAgreed] = useState(() => isAgreed(program));
  const run = (): void => {
    agree(program);
    setAgreed(true);
  };
  return (
    <>
      <PageHead title={declaration.name} actions={<Actions kept={kept} agreed={agreed} />}>
        {declaration.summary} Version {version}, kept <When iso={created_at} />.
        {declaration.source === '' ? null : <> {declaration.source}.</>}
      </PageHead>
      <div className={css['layout']}>
        <section className={css['text']} aria-label="Text">
          <Editor label={`Text of ${declaration.name}`} text={text} />
        </section>
        <div className={css['other']}>{agreed ? <Running kept={kept} /> : <Consent kept={kept} onRun={run} />}</div>
      </div>
    </>
  );
}

function Running({ kept }: { readonly kept: OwnAlgorithmText }) {
  const programs = useMemo<readonly Program[]>(() => [kept], [kept]);
  return (
    <Suspense fallback={<Loading label="Loading the run" rows={8} />}>
      <Course programs={programs} late={false} broken={false} error={null} />
    </Suspense>
  );
}

interface ActionsProps {
  readonly kept: OwnAlgorithmText;
  /** A copy runs as soon as it is there. */
  readonly agreed: boolean;
}

function Actions({ kept: { id, declaration, text }, agreed }: ActionsProps) {
  const navigate = useNavigate();
  const { data } = useQuery(algorithmsQuery);
  const versions = (data ?? []).filter((one) => one.declaration.name === declaration.name);
  const copy = (): void => {
    const mine = drafts.free(declaration.name);
    drafts.write(mine, text);
    void navigate({ to: '/write', search: { mine } });
  };
  return (
    <>
      {versions.length < 2 ? null : (
        <MenuButton
          entries={versions.map((one) => ({ id: one.id, label: `Version ${one.version}`, href: `/write/${one.id}` }))}
        >
          Versions
        </MenuButton>
      )}
      <MenuButton
        icon="download"
        entries={[
          { id: 'text', label: 'The text', onAction: () => downloadText(declaration.name, text) },
          { id: 'cpp', label: 'A C++ skeleton of it', href: skeletonUrl(id), download: true },
        ]}
      >
        Download
      </MenuButton>
      <Link to="/new" search={{ cca: id }} className={buttonClass({})}>
        New experiment with it
      </Link>
      <Button icon="copy" isDisabled={!agreed} onPress={copy}>
        Make a copy to change
      </Button>
    </>
  );
}
