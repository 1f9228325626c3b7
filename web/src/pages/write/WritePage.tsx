// One's own algorithm: its text on one side, on the other the run of it, which follows what is typed.
import { useQuery } from '@tanstack/react-query';
import { Suspense, useCallback, useRef, useState } from 'react';
import type { OwnProblem } from '#protocol/own-algorithm';
import { algorithmsQuery } from '../../api/algorithms';
import { hasServer } from '../../api/ask';
import { Button } from '../../ui/button';
import { Segmented } from '../../ui/choice';
import { lazyPart } from '../../ui/lazy-part';
import { MenuButton } from '../../ui/overlay';
import { Loading, ProblemNotice } from '../../ui/notice';
import { PageHead, SearchNotice } from '../../ui/page';
import { hrefOf } from '../../ui/place';
import { useSearchState } from '../../ui/search';
import type { Editor as OpenEditor } from '../../write/editor/editor';
import { EXAMPLES } from '../../write/examples';
import { useProgram, type Reading } from '../../write/use-program';
import { useCrumbs } from '../frame/crumbs';
import { CCAS } from './crumbs';
import { Editor } from './Editor';
import { downloadLanguage, downloadText } from './files';
import { MineDialog } from './MineDialog';
import { Reference } from './Reference';
import { ShareDialog } from './ShareDialog';
import { TextNotices } from './TextNotices';
import { TextState } from './TextState';
import { useDraft } from './use-draft';
import { useKeep } from './use-keep';
import { WRITE_SEARCH } from './write-search';
import page from '../../ui/page.module.css';
import css from './write.module.css';

/** The text is there first; what draws its run comes meanwhile. */
const Course = lazyPart(async () => ({ default: (await import('./Course')).Course }));

/** Who reads one may change a copy of it: both come together. */
export { ReadPage } from './ReadPage';

const NO_PROBLEM: OwnProblem | null = null;

export function WritePage() {
  useCrumbs('Your own', CCAS);
  const { search, misread, setSearch } = useSearchState(WRITE_SEARCH);
  const setMine = useCallback((mine: string, replace: boolean) => setSearch({ mine }, { replace }), [setSearch]);
  const draft = useDraft(search.mine, setMine);
  const { name, text } = draft;
  const reading = useProgram(text);
  const keeping = useKeep(text);
  const editor = useRef<OpenEditor | null>(null);
  const [failed, setFailed] = useState(NO_PROBLEM);
  const [newest] = reading.programs;
  const isRead = reading.read === text;
  const problem = isRead ? (reading.problem ?? (newest?.text === text ? failed : null)) : null;
  return (
    <>
      <PageHead title="Your own algorithm" actions={<Actions keeping={keeping} />}>
        A congestion-control algorithm in TypeScript or JavaScript: as you type, it runs in this page beside others.
      </PageHead>
      <div className={page['notices']}>
        <SearchNotice misread={misread} />
        {keeping.fault === null ? null : <ProblemNotice error={keeping.fault} />}
        <TextNotices draft={draft} />
      </div>
      <div className={css['layout']}>
        <section className={css['text']} aria-label="Text">
          <TextBar draft={draft} reading={reading} keeping={keeping} />
          <Editor
            label={`Text of ${name}`}
            text={text}
            onChange={draft.write}
            problem={problem}
            {...(newest === undefined ? {} : { params: newest.declaration.params })}
            onOpen={(open) => {
              editor.current = open;
            }}
          />
          <TextState
            isRead={isRead}
            problem={problem}
            declaration={newest?.declaration ?? null}
            onShow={(line, column) => editor.current?.goTo(line, column)}
          />
        </section>
        <div className={css['other']}>
          <Segmented
            label="Beside the text"
            hideLabel
            value={search.side}
            options={[
              { id: 'run', label: 'Run' },
              { id: 'reference', label: 'Reference' },
            ]}
            onChange={(side) => setSearch({ side }, { replace: true })}
          />
          {search.side === 'reference' ? (
            <Reference />
          ) : (
            <Suspense fallback={<Loading label="Loading the run" rows={8} />}>
              <Course
                programs={reading.programs}
                late={!isRead || problem !== null}
                broken={problem !== null}
                error={reading.error}
                onProblem={setFailed}
              />
            </Suspense>
          )}
        </div>
      </div>
      {keeping.sharing === null ? null : <ShareDialog kept={keeping.sharing} onClose={keeping.stopSharing} />}
    </>
  );
}

type Keeping = ReturnType<typeof useKeep>;

const Actions = ({ keeping }: { readonly keeping: Keeping }) => (
  <>
    <Button icon="flask" isDisabled={keeping.busy} onPress={keeping.experiment}>
      New experiment with it
    </Button>
    <Button icon="share" isDisabled={keeping.busy} onPress={keeping.share}>
      Share
    </Button>
    <Button kind="primary" icon="upload" isDisabled={keeping.busy} onPress={keeping.keep}>
      {hasServer() ? 'Keep on the server' : 'Keep in this browser'}
    </Button>
  </>
);

interface TextBarProps {
  readonly draft: ReturnType<typeof useDraft>;
  readonly reading: Reading;
  readonly keeping: Keeping;
}

/** Which text it is, and which versions of it the server keeps. */
function TextBar({ draft, reading, keeping }: TextBarProps) {
  const { name, text } = draft;
  const [mine, setMine] = useState(false);
  const declared = reading.programs[0]?.declaration.name ?? null;
  const { data } = useQuery(algorithmsQuery);
  const versions = (data ?? []).filter(({ declaration }) => declaration.name === declared);
  return (
    <div className={css['bar']}>
      <Button kind="quiet" icon="rows" onPress={() => setMine(true)} aria-label={`Mine: ${draft.name}`}>
        {draft.name}
      </Button>
      <Button kind="quiet" size="small" icon="plus" onPress={() => draft.openNew()}>
        New
      </Button>
      <MenuButton
        kind="quiet"
        size="small"
        entries={EXAMPLES.map(({ id, title, text: example }) => ({
          id,
          label: title,
          onAction: () => draft.openText(title, example),
        }))}
      >
        Examples
      </MenuButton>
      {versions.length === 0 ? null : (
        <MenuButton
          kind="quiet"
          size="small"
          entries={versions.map(({ id, version }) => ({
            id,
            label: `Version ${version}`,
            href: hrefOf(`/write/${id}`),
          }))}
        >
          Versions
        </MenuButton>
      )}
      <MenuButton
        kind="quiet"
        size="small"
        entries={[
          { id: 'text', label: 'The text', onAction: () => downloadText(name, text) },
          { id: 'language', label: 'language.d.ts, for your own editor', onAction: () => void downloadLanguage() },
          { id: 'cpp', label: 'A C++ skeleton of it', onAction: keeping.exportCpp },
        ]}
      >
        Download
      </MenuButton>
      {mine ? <MineDialog open={draft.name} onOpen={draft.open} onClose={() => setMine(false)} /> : null}
    </div>
  );
}
