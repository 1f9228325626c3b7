// An experiment's runs, sorted into its cells: which of them count, and why the others do not.
import type { Cell, ExperimentRecord, RunRef, RunRole } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { EstimateRecord } from '#protocol/figures';
import { figuresOf } from '#analysis/figures';
import type { CellFigures, Sample } from '#analysis/figures';
import { canonicalJson } from '#analysis/identity';
import { isCompetitor } from '#analysis/kinds';
import { verdictOf } from '#analysis/validity';

export interface ExcludedRun {
  readonly run: string;
  readonly role: RunRole;
  readonly repetition: number;
  readonly reason: string;
}

export interface CellResult {
  readonly cell: Cell;
  /** null: this engine does not know the CCA (any more). */
  readonly cca: CcaDescriptor | null;
  readonly figures: CellFigures;
  /** Runs that do not count: how many, and which (of very many the first). */
  readonly left_out: number;
  readonly excluded: readonly ExcludedRun[];
  /** One of its runs goes on. */
  readonly running: boolean;
  /** Solo runs that were planned, and that have not ended yet. */
  readonly planned: number;
  readonly pending: number;
  /** What its solo runs' samples come to, by name (`sampled.ts`); absent: nobody asked. */
  readonly sampled?: Readonly<Record<string, EstimateRecord>>;
}

/** What is drawn of a cell. */
export type CellBrief = Omit<CellResult, 'figures'> & {
  readonly figures: Pick<CellFigures, 'n' | 'metrics' | 'capacity'> & Partial<Pick<CellFigures, 'queueing'>>;
};

/** With the runs that count, by role, in the order of their repetitions. */
export interface CellSamples extends CellResult {
  readonly samples: Readonly<Record<RunRole, readonly Sample[]>>;
}

type Experiment = Pick<ExperimentRecord, 'cells'> & {
  readonly runs: Iterable<RunRef>;
  readonly spec: Pick<ExperimentRecord['spec'], 'duration_s'>;
};

export interface ResultOptions {
  /** Take invalid runs into the means too, when a person asks for it. */
  readonly includeInvalid?: boolean;
}

export function resultsOf(
  experiment: Experiment,
  ccas: readonly CcaDescriptor[],
  { includeInvalid = false }: ResultOptions = {},
): CellSamples[] {
  const runs = groupBy(experiment.runs, (run) => run.cell);
  return experiment.cells.map((cell) => {
    const own = (runs.get(cell.key) ?? []).toSorted((a, b) => a.repetition - b.repetition);
    const samples: Record<RunRole, Sample[]> = { solo: [], self_pair: [], baseline_pair: [] };
    const excluded: ExcludedRun[] = [];
    for (const { id, role, repetition, state, reason, summary } of own) {
      if (state === 'queued' || state === 'running') continue;
      const leaveOut = (why: string): void => void excluded.push({ run: id, role, repetition, reason: why });
      if (summary === null || state === 'failed' || state === 'cancelled') {
        leaveOut(reason ?? (state === 'cancelled' ? 'it was stopped' : 'it failed'));
        continue;
      }
      const verdict = verdictOf(summary, experiment.spec);
      const why = state === 'invalid' && reason !== null ? reason : verdict.reasons.join('; ');
      if ((state === 'invalid' || !verdict.valid) && !includeInvalid)
        leaveOut(why === '' ? 'it is marked invalid' : why);
      else samples[role].push({ run: id, repetition, summary });
    }
    const solo = own.filter((run) => run.role === 'solo');
    let figures: CellFigures | null = null;
    return {
      cell,
      cca: ccas.find((candidate) => candidate.id === cell.cca.id) ?? null,
      samples,
      // When it is first asked for: many only count.
      get figures() {
        return (figures ??= figuresOf(samples));
      },
      excluded,
      left_out: excluded.length,
      running: own.some((run) => run.state === 'running'),
      planned: solo.length,
      pending: solo.filter((run) => run.state === 'queued' || run.state === 'running').length,
    };
  });
}

export const isReference = (result: Pick<CellResult, 'cca'>): boolean =>
  result.cca !== null && !isCompetitor(result.cca);

/** A CCA with its parameters: what is one series in a figure and one row in a ranking. */
export const ccaKey = (cell: Pick<Cell, 'cca'>): string => canonicalJson(cell.cca);

/** The discipline that the link of a cell has. */
export const disciplineOf = ({ cca, queue }: Pick<Cell, 'cca' | 'queue'>): Cell['queue'] => cca.queue ?? queue;

/** The transport of its CCA’s flows; undefined: as each says. */
export const transportOf = ({ cca, transport }: Pick<Cell, 'cca' | 'transport'>): Cell['transport'] =>
  cca.transport ?? transport;

/** What a sweep changes of a cell's surroundings: a CCA with another parameter is another CCA, compared with the rest. */
const sweptAround = ({ sweep }: Cell): Cell['sweep'] => (sweep?.path.startsWith('ccas.') === true ? undefined : sweep);

/** Everything but the CCA that tells one cell from another: CCAs are compared within a condition. */
export const conditionKey = (cell: Cell): string => {
  const { trace, buffer, queue, transport, base_rtt_ms, loss } = cell;
  return canonicalJson({ trace, buffer, queue, transport, base_rtt_ms, loss, sweep: sweptAround(cell) });
};

/** Everything but the CCA and the queue limit: one frontier. */
export const facetKey = (cell: Cell): string => {
  const { trace, queue, transport, base_rtt_ms, loss } = cell;
  return canonicalJson({ trace, queue, transport, base_rtt_ms, loss, sweep: sweptAround(cell) });
};

/** Limits from small to large, infinite last. */
export function byLimit(a: Cell, b: Cell): number {
  const [left, right] = [a.limit_bytes ?? Infinity, b.limit_bytes ?? Infinity];
  return left === right ? 0 : left - right;
}

/** Values by key, both in the order of their first appearance. */
export function groupBy<T>(values: Iterable<T>, key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(key(value));
    if (group === undefined) groups.set(key(value), [value]);
    else group.push(value);
  }
  return groups;
}
