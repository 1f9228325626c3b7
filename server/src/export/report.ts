import { experimentReport } from '#analysis/experiment-report';
import { resultsOf } from '#analysis/results';
import { tracesOfSpec } from '#analysis/trace-owners';
import { MOST_INLINE } from '../experiments/experiment-service.ts';
import type { Lab } from '../lab.ts';
import { VERSION } from '../version.ts';
import { experimentCsv, surveySteps } from './experiment.ts';
import { encodeText, pageOf, type Chunks, type Page } from './formats.ts';
import { experimentOwners } from './source.ts';

/** An experiment as it stands, as one file of HTML. `signal`: nobody waits for it any more. */
export async function reportOf(lab: Lab, id: string, page: Page, signal?: AbortSignal): Promise<Chunks> {
  const { engine, experiments, figures, slices, store, studies } = lab;
  const experiment = await experiments.whole(id);
  const listing = await engine.listing();
  const { spec, runs_total } = experiment;
  const [terms, answers] = [await figures.terms(id, listing.ccas), await figures.answers(id, listing.ccas)];
  const results = (await figures.forExport(experiment, listing.ccas)) ?? resultsOf(experiment, listing.ccas);
  const { runs: _runs, cells: _cells, ...item } = experiment;
  const few = runs_total <= MOST_INLINE;
  const survey = few ? await slices.run(surveySteps(experiment), signal) : null;
  const around = { page, owners: experimentOwners(lab, experiment) };
  return encodeText(
    experimentReport({
      note: store.labels.get('experiment', id).note,
      made: new Date().toISOString().slice(0, 10),
      version: VERSION,
      experiment: item,
      results,
      terms,
      answers,
      listing,
      traces: tracesOfSpec(spec).flatMap((trace) => store.traces.get(trace) ?? []),
      papers: studies.papersOf(spec),
      permalink: pageOf(page, 'e', id),
      runs: survey === null ? null : experimentCsv(experiment, survey, around),
    }),
  );
}
