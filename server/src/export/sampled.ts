// What the samples of an experiment's runs come to, as files.
import { ccaLabel } from '#analysis/cca-label';
import { bufferLabel } from '#analysis/limits';
import { queueLabel } from '#analysis/queue-label';
import { disciplineOf } from '#analysis/results';
import { SAMPLED_VALUES } from '#analysis/sampled';
import type { Cell } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { CellSampled } from '#protocol/sampled';
import { csvLine } from './csv.ts';

const COLUMNS = [
  'cell',
  'trace',
  'cca',
  'buffer',
  'queue',
  'base_rtt_ms',
  'loss_probability',
  'swept_value',
  'value',
  'unit',
  'mean',
  'low',
  'high',
  'sd',
  'n',
  'runs',
];

/** A row a cell and value. */
export function* sampledCsv(
  cells: readonly Cell[],
  sampled: readonly CellSampled[],
  ccas: readonly CcaDescriptor[],
): Generator<string, void, undefined> {
  const byKey = new Map(sampled.map((one) => [one.key, one]));
  yield csvLine(COLUMNS);
  for (const cell of cells) {
    const { values = {}, runs = 0 } = byKey.get(cell.key) ?? {};
    const cca = ccas.find(({ id }) => id === cell.cca.id) ?? null;
    const place = [
      cell.key,
      cell.trace_name,
      ccaLabel(cell, cca),
      bufferLabel(cell.buffer),
      queueLabel(disciplineOf(cell)),
      cell.base_rtt_ms,
      cell.loss,
      cell.sweep === undefined ? null : String(cell.sweep.value),
    ];
    for (const [name, { mean, low, high, sd, n }] of Object.entries(values))
      yield csvLine([...place, name, SAMPLED_VALUES[name]?.unit ?? '', mean, low, high, sd, n, runs]);
  }
}
