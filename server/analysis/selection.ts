// Which runs of an experiment an expectation is about: the query language of Runs, as far as it tells conditions. What a run came to is
// what is judged: it cannot choose.
import { bufferLabel } from '#analysis/limits';
import { limitWord } from '#analysis/run-fields';
import { parseRunQuery, type Term } from '#analysis/run-query';
import { isFound } from '#analysis/run-rows';
import type { Cell, RunRef } from '#protocol/api';
import type { RunManifest } from '#protocol/manifest';
import type { RunTableRow } from '#protocol/run-table';

/** Fields of conditions. */
const CONDITIONS: readonly string[] = [
  'cca', 'trace', 'buffer', 'queue', 'transport', 'engine', 'role', 'rtt0', 'loss_rate', 'duration', 'flows', 'rep',
]; // prettier-ignore

export class SelectionFault extends Error {
  override readonly name = 'SelectionFault';
}

export interface Selectable {
  readonly ref: RunRef;
  readonly cell: Cell;
  readonly manifest: Pick<RunManifest, 'engine' | 'engine_version' | 'duration_s'> & {
    readonly flows: readonly { readonly cca: { readonly id: string }; readonly transport: string }[];
  };
  /** What its algorithms go by beside their ids: files. */
  readonly also: readonly string[];
}

function rowOf({ ref, cell, manifest, also }: Selectable): RunTableRow {
  const { flows, engine, engine_version: version, duration_s: duration } = manifest;
  return {
    id: ref.id,
    state: ref.state,
    experiment: { id: '', name: '' },
    ccas: [...flows.map(({ cca }) => cca.id), ...also],
    trace: cell.trace_name,
    buffer: limitWord(bufferLabel(cell.buffer)),
    role: ref.role,
    engine,
    queue: cell.queue.id,
    transport: flows[0]?.transport ?? '',
    version,
    rtt0: cell.base_rtt_ms,
    loss_rate: cell.loss,
    duration,
    flows: flows.length,
    rep: ref.repetition,
    made: '',
    tags: [],
    starred: false,
    figures: {},
  };
}

/** What a query chooses; throws a `SelectionFault` where it is not understood. Without a word of the role only what runs alone. */
export function selection(query: string): (run: Selectable) => boolean {
  const { terms, faults } = parseRunQuery(query);
  const [fault] = faults;
  if (fault !== undefined) throw new SelectionFault(`${fault.detail} (characters ${fault.from + 1} to ${fault.to})`);
  const other = terms.find((term) => term.kind !== 'anywhere' && !CONDITIONS.includes(term.field.id));
  if (other !== undefined && other.kind !== 'anywhere')
    throw new SelectionFault(
      `runs are chosen by their conditions (${CONDITIONS.join(', ')}), not by ${other.field.id}`,
    );
  const ofRole = (term: Term): boolean => term.kind !== 'anywhere' && term.field.id === 'role';
  const asked = terms.some(ofRole);
  return (run) => (asked || run.ref.role === 'solo') && isFound(terms, rowOf(run));
}
