// An algorithm that somebody has shared: it is read first, and runs when its reader says so.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import type { OwnAlgorithmText } from '#protocol/own-algorithm';
import { algorithmQuery, algorithmsQuery, keepAlgorithm, skeletonUrl } from '../../api/algorithms';
import { hasServer } from '../../api/ask';
import { isCarrying } from '../../share/link';
import { Button, buttonClass } from '../../ui/button';
import { lazyPart } from '../../ui/lazy-part';
import { Loading } from '../../ui/notice';
import { MenuButton } from '../../ui/overlay';
import { PageHead } from '../../ui/page';
import { hrefOf } from '../../ui/place';
import { showProblem } from '../../ui/toasts';
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
  const hash = useLocation({ select: (location) => location.hash });
  const kept = useQuery(algorithmQuery(id));
  const brings = kept.error !== null && isCarrying(hash);
  const carried = useQuery({
    queryKey: ['carried', id, hash],
    queryFn: async () => (await import('../../share/carried')).readCarriedAlgorithm(id, hash),
    enabled: brings,
    staleTime: Infinity,
    retry: false,
  });
  const error = brings ? carried.error : kept.error;
  if (error !== null)
    return <PageProblem what="This algorithm" parent={CCAS} error={error} onRetry={() => void kept.refetch()} />;
  const shown = kept.data ?? carried.data;
  return shown === undefined ? (
    <Loading label="Loading the text" rows={6} />
  ) : (
    <Read key={id} kept={shown} carried={kept.data === undefined} />
  );
}

interface ReadProps {
  readonly kept: OwnAlgorithmText;
  /** It came with the link alone. */
  readonly carried: boolean;
}

/** What its first version said of it stands here: nothing of the text has been run for it. */
function Read({ kept, carried }: ReadProps) {
  const { declaration, program, version, created_at, text } = kept;
  useCrumbs(declaration.name, CCAS);
  const [agreed, setAgreed] = useState(() => isAgreed(program));
  const queries = useQueryClient();
  const run = async (): Promise<void> => {
    agree(program);
    // Without a server nothing else could have it in an experiment.
    if (carried && !hasServer()) await keepAlgorithm(queries, text);
    setAgreed(true);
  };
  return (
    <>
      <PageHead title={declaration.name} actions={<Actions kept={kept} agreed={agreed} carried={carried} />}>
        {declaration.summary}{' '}
        {carried ? (
          'So says the link that brought it.'
        ) : (
          <>
            Version {version}, kept <When iso={created_at} />.
          </>
        )}
        {declaration.source === '' ? null : <> {declaration.source}.</>}
      </PageHead>
      <div className={css['layout']}>
        <section className={css['text']} aria-label="Text">
          <Editor label={`Text of ${declaration.name}`} text={text} />
        </section>
        <div className={css['other']}>
          {agreed ? <Running kept={kept} /> : <Consent kept={kept} onRun={() => void run().catch(showProblem)} />}
        </div>
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
  readonly carried: boolean;
}

function Actions({ kept: { id, declaration, text }, agreed, carried }: ActionsProps) {
  const navigate = useNavigate();
  const { data } = useQuery(algorithmsQuery);
  const versions = (data ?? []).filter((one) => one.declaration.name === declaration.name);
  const isKept = !carried || (agreed && !hasServer());
  const copy = (): void => {
    const mine = drafts.free(declaration.name);
    drafts.write(mine, text);
    void navigate({ to: '/write', search: { mine } });
  };
  return (
    <>
      {versions.length < 2 ? null : (
        <MenuButton
          entries={versions.map((one) => ({
            id: one.id,
            label: `Version ${one.version}`,
            href: hrefOf(`/write/${one.id}`),
          }))}
        >
          Versions
        </MenuButton>
      )}
      <MenuButton
        icon="download"
        entries={[
          { id: 'text', label: 'The text', onAction: () => downloadText(declaration.name, text) },
          ...(isKept ? [{ id: 'cpp', label: 'A C++ skeleton of it', href: skeletonUrl(id), download: true }] : []),
        ]}
      >
        Download
      </MenuButton>
      {isKept ? (
        <Link to="/new" search={{ cca: id }} className={buttonClass({})}>
          New experiment with it
        </Link>
      ) : null}
      <Button icon="copy" isDisabled={!agreed} onPress={copy}>
        Make a copy to change
      </Button>
    </>
  );
}
