// What an experiment came to, place by place of its matrix, in the form in which it is kept to be compared with: rounded as it is written,
// sorted, and named by what stays when engine, parameters of algorithms or texts of one's own change.
import { canonicalJson } from '#analysis/identity';
import { METRIC_IDS, METRICS, type MetricId } from '#analysis/metrics';
import { conditionKey } from '#analysis/results';
import type { Cell, RunRef } from '#protocol/api';
import { Baseline, type BaselinePlace } from '#protocol/baseline';
import type { ExperimentSpec } from '#protocol/spec';

/** What is kept of a number: differences below are those of another machine's rounding, and say nothing. */
const DIGITS = 9;
export const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

interface Experiment {
  readonly spec: ExperimentSpec;
  readonly cells: readonly Cell[];
  readonly runs: Iterable<RunRef>;
  readonly engine_version: string | null;
}

/** Own algorithms by their ids, as they call themselves: the id changes with every letter of the text. */
export type OwnNames = ReadonlyMap<string, string>;

function named<T>(value: T, names: OwnNames): T {
  let text = JSON.stringify(value);
  for (const [id, name] of names) text = text.replaceAll(`"${id}"`, () => JSON.stringify(`own: ${name}`));
  return JSON.parse(text) as T;
}

/**
 * What was asked, without what does not change the answer, what tells pairs from others (seed, repetitions), and what is judged: parameters
 * of the algorithms.
 */
export function questionOf(spec: ExperimentSpec, names: OwnNames): Readonly<Record<string, unknown>> {
  const { name: _n, note: _o, repetitions: _r, seed: _s, qlog: _q, sample_period_ms: _p, ccas, ...rest } = spec;
  return named({ ...rest, ccas: ccas.map(({ params: _params, ...cca }) => cca) }, names);
}

/** The fields of two questions that are not the same; empty: they ask the same. */
export function otherFields(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): readonly string[] {
  const text = (value: unknown): string => canonicalJson(value ?? null);
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].filter((key) => text(a[key]) !== text(b[key])).sort();
}

/** A run that counts: figures as they are kept. */
export interface PlacedRun {
  readonly repetition: number;
  readonly figures: Readonly<Partial<Record<MetricId, number>>>;
}

export interface Place {
  readonly key: string;
  readonly at: Omit<BaselinePlace, 'repetitions' | 'figures'>;
  readonly runs: readonly PlacedRun[];
}

/** One side of a comparison. */
export interface Side {
  readonly called: string;
  readonly engine_version: string | null;
  readonly seed: number;
  readonly params: readonly unknown[];
  readonly question: Readonly<Record<string, unknown>>;
  readonly places: ReadonlyMap<string, Place>;
}

const keyOf = ({ trace_name: _name, ...at }: Place['at']): string => canonicalJson(at);

/** Where each cell is, by its key: the place of its algorithm among those under the same conditions, not the parameters that it has. */
export function placesOfCells(cells: readonly Cell[], names: OwnNames): ReadonlyMap<string, Omit<Place['at'], 'role'>> {
  const before = new Map<string, number>();
  return new Map(
    cells.map((cell) => {
      const { key, cca, trace, trace_name, buffer, queue, transport, base_rtt_ms, loss, sweep } = cell;
      const condition = conditionKey(cell);
      const nth = before.get(condition) ?? 0;
      before.set(condition, nth + 1);
      const where = { trace, trace_name, buffer, queue, base_rtt_ms, loss };
      const more = { ...(transport && { transport }), ...(sweep && { sweep }) };
      return [key, named({ cca: cca.id, nth, ...where, ...more }, names)];
    }),
  );
}

export function sideOf(experiment: Experiment, names: OwnNames, called: string): Side {
  const { spec, cells, runs, engine_version } = experiment;
  const wheres = placesOfCells(cells, names);
  const places = new Map<string, Place & { runs: PlacedRun[]; readonly seen: Set<string> }>();
  for (const { id, cell, role, repetition, state, summary } of runs) {
    const where = wheres.get(cell);
    if (where === undefined || state !== 'done' || summary === null) continue;
    const at = { ...where, role };
    const key = keyOf(at);
    const place = places.get(key) ?? { key, at, runs: [], seen: new Set() };
    places.set(key, place);
    // Where nothing varies, repetitions are one run: it counts once.
    if (place.seen.has(id)) continue;
    place.seen.add(id);
    const figures = METRIC_IDS.flatMap((metric): [MetricId, number][] => {
      const value = METRICS[metric].of(summary);
      return value === null ? [] : [[metric, rounded(value)]];
    });
    place.runs.push({ repetition, figures: Object.fromEntries(figures) });
  }
  const params = named(
    spec.ccas.map(({ params: own }) => own),
    names,
  );
  return { called, engine_version, seed: spec.seed, params, question: questionOf(spec, names), places };
}

export function baselineOf(side: Side, name: string, label: string | undefined): Baseline {
  const { engine_version, seed, params, question, places } = side;
  return Baseline.parse({
    format: 'paceline-baseline',
    version: 1,
    name,
    ...(label !== undefined && { label }),
    engine_version,
    seed,
    params,
    spec: question,
    places: [...places.values()]
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ at, runs }): BaselinePlace => {
        const order = runs.toSorted((a, b) => a.repetition - b.repetition);
        const known = METRIC_IDS.filter((metric) => order.some(({ figures }) => figures[metric] !== undefined));
        const figures = known.map((metric) => [metric, order.map((run) => run.figures[metric] ?? null)] as const);
        return {
          ...at,
          repetitions: order.map(({ repetition }) => repetition),
          figures: Object.fromEntries(figures),
        };
      }),
  });
}

export function sideOfBaseline({ name, label, engine_version, seed, params, spec, places }: Baseline): Side {
  return {
    called: label === undefined ? name : `${name} (${label})`,
    engine_version,
    seed,
    params,
    question: spec,
    places: new Map(
      places.map(({ repetitions, figures, ...at }) => {
        const runs = repetitions.map((repetition, i): PlacedRun => {
          const own = METRIC_IDS.flatMap((metric): [MetricId, number][] => {
            const value = figures[metric]?.[i] ?? null;
            return value === null ? [] : [[metric, value]];
          });
          return { repetition, figures: Object.fromEntries(own) };
        });
        const key = keyOf(at);
        return [key, { key, at, runs }];
      }),
    ),
  };
}

/** Keys sorted; what holds only numbers is a line, so that a change of one figure is a change of one line. */
export function baselineText(baseline: Baseline): string {
  const { format, version, name, label, ...rest } = baseline;
  const sorted = (value: unknown): unknown => JSON.parse(canonicalJson(value));
  const head = { format, version, name, ...(label !== undefined && { label }) };
  const text = JSON.stringify({ ...head, ...(sorted(rest) as object) }, null, 1);
  // A line end within JSON is never one of its texts.
  return `${text.replaceAll(/\[\n[^[\]{}"]*\]/g, (list) => list.replaceAll(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'))}\n`;
}
