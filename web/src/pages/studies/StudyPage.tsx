// One study: how far it is, what came out, figure by figure, and the experiments behind it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { StudyRecord } from '#protocol/study';
import { ccaNamesIn } from '#analysis/cca-label';
import { formatChosen } from '#analysis/format';
import { figureVerdict } from '#analysis/study-outcome';
import { runStudy, stopStudy } from '../../api/actions';
import { API } from '../../api/ask';
import { enginesQuery, studyQuery } from '../../api/queries';
import { PlotView } from '../../plots/plot-view';
import { STUDY_PLOTS } from '../../plots/study-plots';
import { VERDICT_KINDS, VERDICT_MARKS, VERDICT_WORDS } from '../../plots/verdicts';
import { Button, buttonClass } from '../../ui/button';
import { formatCount, formatEstimate, plural } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Loading, ProblemNotice } from '../../ui/notice';
import { Badge, PageHead, Section } from '../../ui/page';
import { ProgressBar } from '../../ui/progress';
import { WideTable } from '../../ui/scroll';
import { PageProblem } from '../about/PageProblem';
import { AnswerList } from '../experiment/Answers';
import { useCrumbs } from '../frame/crumbs';
import { usePageId } from '../page-id';
import { VerdictCounts } from './VerdictCounts';
import css from './studies.module.css';

const PARENT = { label: 'Studies', to: '/studies' };

export function StudyPage() {
  const study = useQuery(studyQuery(usePageId()));
  const engines = useQuery(enginesQuery);
  // Without the listing ids will do; with it names stand there from the start.
  if (study.isPending || engines.isPending) return <Loading label="Loading the study" rows={6} height={120} />;
  if (study.isError)
    return <PageProblem what="This study" parent={PARENT} error={study.error} onRetry={() => void study.refetch()} />;
  return <Shown study={study.data} nameOf={ccaNamesIn(engines.data?.ccas ?? [])} />;
}

function Shown({ study, nameOf }: { readonly study: StudyRecord; readonly nameOf: (id: string) => string }) {
  useCrumbs(study.title, PARENT);
  const { title, question, setup, paper, verdicts, figures } = study;
  return (
    <>
      <PageHead title={title} actions={<Actions study={study} />}>
        {question}
      </PageHead>
      <div className={css['standing']}>
        <VerdictCounts verdicts={verdicts} />
        <Progress study={study} />
      </div>
      <div className={css['about']}>
        {paper === null ? null : (
          <p>
            {paper.authors}: <cite>{paper.title}</cite>
            {paper.venue === '' ? '' : `, ${paper.venue}`}
          </p>
        )}
        <p>{setup}</p>
      </div>
      {study.answers.map(({ experiment, title: name, origin, answers }) => (
        <Section key={experiment} title={name} note={`${origin} networks`}>
          <AnswerList answers={answers} />
        </Section>
      ))}
      <h2 className="visually-hidden">Figures</h2>
      <nav aria-label="Figures of the study" className={css['contents']}>
        <ul>
          {figures.map(({ id, title: figure, claims }) => {
            const verdict = figureVerdict(claims);
            const kind = VERDICT_KINDS[verdict];
            return (
              <li key={id}>
                <a href={`#${id}`}>
                  <Badge {...(kind === undefined ? {} : { kind })}>
                    {VERDICT_MARKS[verdict]} <span className="visually-hidden">{VERDICT_WORDS[verdict]}</span>
                  </Badge>{' '}
                  {figure}
                </a>
              </li>
            );
          })}
        </ul>
      </nav>
      {figures.map((figure) => (
        <div key={figure.id} id={figure.id} className={css['figure']}>
          {STUDY_PLOTS.map((plot) => (
            <PlotView key={plot.id} plot={plot} data={{ study, figure, nameOf }} />
          ))}
        </div>
      ))}
      <Experiments study={study} />
    </>
  );
}

function Actions({ study: { id, runs_total, runs_done, running } }: { readonly study: StudyRecord }) {
  const queries = useQueryClient();
  const run = useMutation({ mutationFn: () => runStudy(queries, id) });
  const stop = useMutation({ mutationFn: () => stopStudy(queries, id) });
  const over = runs_done >= runs_total;
  const failed = run.error ?? stop.error;
  return (
    <>
      {running ? (
        <Button kind="danger" icon="stop" isPending={stop.isPending} onPress={() => stop.mutate()}>
          Stop
        </Button>
      ) : over ? null : (
        <Button kind="primary" icon="play" isPending={run.isPending} onPress={() => run.mutate()}>
          Run {runs_done > 0 ? 'the rest' : plural(runs_total, 'run')}
        </Button>
      )}
      <a className={buttonClass({})} href={`${API}/studies/${id}/report`} download={`paceline-${id}.html`}>
        <Icon name="download" />
        Report
      </a>
      {failed === null ? null : <ProblemNotice error={failed} />}
    </>
  );
}

function Progress({ study: { title, runs_total, runs_done, running, estimate_s } }: { readonly study: StudyRecord }) {
  if (!running && runs_done >= runs_total) return <span>{plural(runs_total, 'run')}</span>;
  return (
    <span className={css['progress']} data-estimate="">
      {formatCount(runs_done)} of {plural(runs_total, 'run')} · {formatEstimate(estimate_s.low, estimate_s.high)}
      {running ? <ProgressBar label={`${title}: runs`} value={runs_done / Math.max(runs_total, 1)} /> : null}
    </span>
  );
}

const Experiments = ({ study: { experiments } }: { readonly study: StudyRecord }) => (
  <Section
    title="Experiments"
    note="Each is an experiment like any other: open one for its frontier, its runs and its files. No warm-up is cut off."
  >
    <WideTable label="Experiments of the study">
      <table className={css['experiments']}>
        <thead>
          <tr>
            <th scope="col">Experiment</th>
            <th scope="col">Networks</th>
            <th scope="col">Runs</th>
            <th scope="col">Each</th>
            <th scope="col">Why so</th>
          </tr>
        </thead>
        <tbody>
          {experiments.map(({ key, title, origin, experiment, runs_total, runs_done, runs_failed, why, ...each }) => (
            <tr key={key}>
              <th scope="row">
                {experiment === null ? (
                  title
                ) : (
                  <Link to="/e/$id" params={{ id: experiment }}>
                    {title}
                  </Link>
                )}
              </th>
              <td>{origin}</td>
              <td>
                {experiment === null ? 'not run' : `${formatCount(runs_done)} of ${formatCount(runs_total)}`}
                {runs_failed === 0 ? '' : `, ${runs_failed} failed or do not count`}
              </td>
              <td>
                {formatChosen(each.duration_s)} s{each.repetitions === 1 ? '' : ` × ${each.repetitions}`}, seed{' '}
                {each.seed}
              </td>
              <td>{why}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  </Section>
);
