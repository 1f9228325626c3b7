// The numbers of a report as files within it: a link to each, which holds the file itself.
import { ccaLabel } from '#analysis/cca-label';
import { csvText } from '#analysis/csv-text';
import { bufferLabel } from '#analysis/limits';
import { METRICS, METRIC_IDS } from '#analysis/metrics';
import { queueLabel } from '#analysis/queue-label';
import { safe } from '#analysis/report-page';
import { disciplineOf, transportOf, type CellResult } from '#analysis/results';

type Field = string | number | null;

const field = (value: Field): string =>
  value === null ? '' : typeof value === 'number' ? String(value) : csvText(value);
const csvRow = (values: readonly Field[]): string => `${values.map(field).join(',')}\r\n`;

/** A row per cell: its place in the matrix, then mean, interval and number of each figure. */
export function* cellsCsv(results: readonly CellResult[]): Generator<string, void, undefined> {
  yield csvRow([
    'cell',
    'trace',
    'trace_sha256',
    'cca',
    'queue_limit',
    'limit_bytes',
    'queue',
    'transport',
    'base_rtt_ms',
    'loss_probability',
    'swept_value',
    'runs',
    ...METRIC_IDS.flatMap((id) => ['', '_low95', '_high95'].map((end) => `${METRICS[id].column}${end}`)),
  ]);
  for (const { cell, cca, figures } of results)
    yield csvRow([
      cell.key,
      cell.trace_name,
      'trace' in cell.trace ? cell.trace.trace : null,
      ccaLabel(cell, cca),
      bufferLabel(cell.buffer),
      cell.limit_bytes,
      queueLabel(disciplineOf(cell)),
      transportOf(cell) ?? null,
      cell.base_rtt_ms,
      cell.loss,
      cell.sweep === undefined ? null : String(cell.sweep.value),
      figures.n,
      ...METRIC_IDS.flatMap((id) => {
        const estimate = figures.metrics[id];
        return [estimate?.mean ?? null, estimate?.low ?? null, estimate?.high ?? null];
      }),
    ]);
}

/** What a browser would not let into an address. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll("'", '%27');

/** A link whose address is the file: it is there with the network off, and nothing runs. */
export function* fileLink(
  name: string,
  media: 'text/csv' | 'application/json',
  parts: Iterable<string>,
  label: string,
): Generator<string, void, undefined> {
  yield `<a download="${safe(name)}" href="data:${media};charset=utf-8,`;
  for (const part of parts) yield encoded(part);
  yield `">${safe(label)}</a>`;
}
