// `paceline import` of what is no bundle: a file of flent, a qlog, a report of iperf3, a trace of ns-3, vectors of OMNeT++, kept to be compared with runs.
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { IMPORTED_FORMS } from '#protocol/imported';
import { plainLine } from '#protocol/text';
import { readImport } from '../imports/read-import.ts';
import { importedMean } from '#analysis/imported-series';
import { openLab } from '../lab.ts';
import { createLog } from '../log.ts';
import { decimal } from './decimal.ts';
import { table } from './table.ts';

/** Zip files, as bundles are, begin so. */
export async function isZip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString('latin1') === 'PK';
  } finally {
    await handle.close();
  }
}

/** The text that is printed. */
export async function importSeries(file: string, dataDir: string, json: boolean): Promise<string> {
  const { id, imported } = await readImport(file, file);
  const lab = openLab({ dataDir, workers: 1, log: createLog('warn') });
  try {
    const name = plainLine(basename(file)).slice(0, 512);
    lab.store.imported.insert({ id, name, created_at: new Date().toISOString(), imported });
  } finally {
    await lab.close();
  }
  if (json) {
    const { flows, ...head } = imported;
    return `${JSON.stringify({ id, ...head, flows: flows.map(({ label, cca }) => ({ label, cca })) }, null, 2)}\n`;
  }
  const known = (value: number | null, unit: string): string => (value === null ? '–' : `${decimal(value)} ${unit}`);
  const rows = imported.flows.map((flow) => [
    flow.label,
    known(importedMean(flow, 'throughput_mbps'), 'Mbps'),
    known(importedMean(flow, 'rtt_ms'), 'ms RTT'),
    known(importedMean(flow, 'cwnd_bytes'), 'B cwnd'),
  ]);
  return [
    `${IMPORTED_FORMS[imported.form]}, ${decimal(imported.duration_s)} s; on average\n`,
    table(rows),
    ...imported.notes.map((note) => `! ${note}\n`),
    `compare it with a run at /compare?runs=RUN&files=${id}\n`,
  ].join('');
}
