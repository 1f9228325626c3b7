// From an experiment that was made and what is expected of it to a verdict on each expectation.
import { sideOf, placesOfCells, type Place, type Side } from '#analysis/baseline';
import { judgeBound } from '#analysis/expected-bound';
import { judgeNotWorse, type Comparison } from '#analysis/expected-not-worse';
import { ExpectationFault, lacking, metricOf, type ChosenRun, type Verdict } from '#analysis/expectation-verdict';
import { canonicalJson } from '#analysis/identity';
import { selection, SelectionFault, type Selectable } from '#analysis/selection';
import type { CcaDescriptor } from '#protocol/cca';
import type { BaselineRef, Bound, NotWorse } from '#protocol/expectations';
import { AppError } from '../errors.ts';
import { baselineSide } from './baseline-file.ts';
import type { ReadExpectations } from './expectations-file.ts';
import type { Made } from './made.ts';

type Chosen = ChosenRun & Selectable;

/** Each run with what it is chosen by. */
export function everyRun(
  { lab, experiment, names }: Made,
  files: ReadonlyMap<string, string>,
  ccas: readonly CcaDescriptor[],
): Chosen[] {
  const cells = new Map(experiment.cells.map((cell) => [cell.key, cell]));
  const known = new Map(ccas.map((cca) => [cca.id, cca]));
  const all: Chosen[] = [];
  for (const ref of experiment.runs) {
    const cell = cells.get(ref.cell);
    const { manifest } = lab.experiments.run(ref.id);
    if (cell === undefined) continue;
    const also = manifest.flows.flatMap(({ cca: { id } }) =>
      [names.get(id), files.get(id)].flatMap((word) => word ?? []),
    );
    all.push({ ref, cell, manifest, also, cca: known.get(cell.cca.id) ?? null });
  }
  return all;
}

interface Judge {
  readonly asked: ReadExpectations;
  readonly all: readonly Chosen[];
  readonly now: Side;
  readonly wheres: ReadonlyMap<string, Omit<Place['at'], 'role'>>;
}

/** Runs of a comparison: the places that were chosen, and of each the repetitions. */
function chosenPlaces({ now, wheres }: Judge, runs: readonly ChosenRun[]): Place[] {
  const wanted = new Map<string, Set<number>>();
  for (const { ref } of runs) {
    const { trace_name: _name, ...where } = wheres.get(ref.cell) ?? { trace_name: '' };
    const key = canonicalJson({ ...where, role: ref.role });
    const repetitions = wanted.get(key) ?? new Set();
    repetitions.add(ref.repetition);
    wanted.set(key, repetitions);
  }
  return [...wanted].flatMap(([key, repetitions]) => {
    const place = now.places.get(key);
    return place === undefined
      ? []
      : [{ ...place, runs: place.runs.filter(({ repetition }) => repetitions.has(repetition)) }];
  });
}

/** The fault with the place of the expectation that has it. */
function placed<T>({ asked: { file, lines } }: Judge, i: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpectationFault) && !(error instanceof SelectionFault)) throw error;
    const where = `${file}:${lines[i] ?? 1}`;
    throw new AppError('SPEC_INVALID', error.message, { where });
  }
}

function chosenBy(judge: Judge, i: number, { select, metric }: Bound | NotWorse): readonly Chosen[] {
  return placed(judge, i, () => {
    metricOf(metric);
    const runs = judge.all.filter(selection(select));
    if (runs.length === 0)
      throw new ExpectationFault(
        `${JSON.stringify(select)} finds none of the ${judge.all.length} runs: nothing would be judged`,
      );
    return runs;
  });
}

const isComparison = (one: Bound | NotWorse): one is NotWorse => 'not_worse_than' in one;

/** What a spec says wrongly is told before anything runs, as far as it can be. */
export function checkExpectations({ expectations: { expectations }, file, lines }: ReadExpectations): void {
  for (const [i, { metric, select }] of expectations.entries())
    try {
      metricOf(metric);
      selection(select);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new AppError('SPEC_INVALID', error.message, { where: `${file}:${lines[i] ?? 1}` });
    }
}

export interface Judgement {
  readonly verdicts: readonly Verdict[];
  /** What is worth knowing of the baselines. */
  readonly notes: readonly string[];
}

export async function judge(
  made: Made,
  asked: ReadExpectations,
  ownIds: ReadonlyMap<string, string>,
): Promise<Judgement> {
  const { experiment, names, lab } = made;
  const { ccas } = await lab.engine.listing();
  const all = everyRun(made, ownIds, ccas);
  const now = sideOf(experiment, names, experiment.name);
  const context: Judge = { asked, all, now, wheres: placesOfCells(experiment.cells, names) };
  const { expectations, error_rate } = asked.expectations;
  const sides = new Map<string, Side>();
  const sideFor = async (i: number, ref: BaselineRef): Promise<Side> => {
    const key = canonicalJson(ref);
    try {
      const side = sides.get(key) ?? (await baselineSide(ref, asked.folder, now));
      sides.set(key, side);
      return side;
    } catch (error) {
      if (!(error instanceof AppError) || error.details.faults !== undefined) throw error;
      throw new AppError('SPEC_INVALID', `${error.details.where ?? ''}: ${error.message}`, {
        where: `${asked.file}:${asked.lines[i] ?? 1}`,
      });
    }
  };
  const verdicts: (Verdict | null)[] = [];
  const compared: { readonly i: number; readonly comparison: Comparison }[] = [];
  for (const [i, expectation] of expectations.entries()) {
    const runs = chosenBy(context, i, expectation);
    if (!isComparison(expectation)) {
      verdicts.push(placed(context, i, () => judgeBound(expectation, runs)));
      continue;
    }
    verdicts.push(null);
    const before = await sideFor(i, expectation.not_worse_than);
    const why = placed(context, i, () => lacking(metricOf(expectation.metric), runs));
    compared.push({ i, comparison: { expectation, before, now: chosenPlaces(context, runs), lacking: why } });
  }
  const judged = judgeNotWorse(
    compared.map(({ comparison }) => comparison),
    error_rate,
    now.seed,
  );
  for (const [at, { i }] of compared.entries()) verdicts[i] = judged[at] ?? null;
  return {
    verdicts: verdicts.flatMap((verdict) => verdict ?? []),
    notes: [...sides.values()].flatMap((side) => notesOf(side, now)),
  };
}

/** How the two sides differ beyond what is measured. */
export function notesOf(before: Side, now: Side): string[] {
  const engine =
    before.engine_version === now.engine_version
      ? `${before.called} was made by the same engine, ${now.engine_version ?? 'unknown'}`
      : `${before.called} was made by engine ${before.engine_version ?? 'unknown'}, this by ${now.engine_version ?? 'unknown'}`;
  const changed = now.params.flatMap((params, i) =>
    canonicalJson(params) === canonicalJson(before.params[i] ?? null)
      ? []
      : [
          `parameters of algorithm ${i + 1} were ${canonicalJson(before.params[i] ?? null)} and are ${canonicalJson(params)}`,
        ],
  );
  return [engine, ...changed];
}
