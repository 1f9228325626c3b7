import { createWriteStream, writeFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { WholeExperiment } from '../experiments/experiment-service.ts';
import { print, unlessNobodyReads } from './print.ts';
import { exportExperiment, surveySteps } from '../export/experiment.ts';
import { EXPORT_FORMATS, encodeText, type Chunks, type ExportFormat, type ResultFormat } from '../export/formats.ts';
import { exportRun } from '../export/run.ts';
import { sampledCsv } from '../export/sampled.ts';
import { experimentOwners, exportSource } from '../export/source.ts';
import { programLogName } from '../jobs/program-logs.ts';
import { qlogName } from '../jobs/qlogs.ts';
import type { Lab } from '../lab.ts';
import { handoversOf } from '../traces/handovers.ts';
import { resultsOf } from '#analysis/results';
import { finish } from '#analysis/steps';
import { SAMPLE_FAMILIES } from '#protocol/sampled';
import { answers } from './answers.ts';

export interface ResultOptions {
  readonly series: ExportFormat | 'none';
  /** Print the summary as well, instead of what a person reads. */
  readonly json: boolean;
  /** Write what the runs' samples come to. */
  readonly sampled: boolean;
}

const save = (path: string, chunks: Chunks): Promise<void> => pipeline(Readable.from(chunks), createWriteStream(path));

function distinctIds({ runs }: WholeExperiment): Set<string> {
  const ids = new Set<string>();
  for (const { id } of runs) ids.add(id);
  return ids;
}

/** Everything about an experiment as files. */
export async function writeResults(
  lab: Lab,
  experiment: WholeExperiment,
  folder: string,
  { series, json, sampled }: ResultOptions,
): Promise<void> {
  const { ccas } = await lab.engine.listing();
  await mkdir(join(folder, 'manifests'), { recursive: true });
  const survey = finish(surveySteps(experiment));
  const results = await lab.figures.forExport(experiment, ccas);
  const around = { page: null, owners: experimentOwners(lab, experiment) };
  const summary = (format: ResultFormat): Chunks => exportExperiment(experiment, survey, ccas, format, around, results);
  await save(join(folder, 'summary.json'), summary('json'));
  await save(join(folder, 'summary.csv'), summary('csv'));
  await save(join(folder, 'summary.tex'), summary('latex'));
  if (sampled) {
    const cells = await lab.sampled.cells(experiment.id, ccas, SAMPLE_FAMILIES);
    await writeFile(join(folder, 'sampled.json'), `${JSON.stringify({ cells }, null, 2)}\n`);
    await save(join(folder, 'sampled.csv'), encodeText(sampledCsv(experiment.cells, cells, ccas)));
  }
  if (series !== 'none') await mkdir(join(folder, 'series'), { recursive: true });
  for (const id of distinctIds(experiment)) {
    const { manifest } = lab.experiments.run(id);
    // Nothing else is done meanwhile, and a thousand small files are as many waits.
    writeFileSync(join(folder, 'manifests', `${id}.json`), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const flow of lab.qlogs.flows(id, manifest)) {
      await mkdir(join(folder, 'qlog'), { recursive: true });
      await copyFile(lab.qlogs.file(id, flow), join(folder, 'qlog', qlogName(id, flow)));
    }
    for (const { name } of lab.programLogs.list(id)) {
      await mkdir(join(folder, 'logs'), { recursive: true });
      await copyFile(lab.programLogs.file(id, name), join(folder, 'logs', programLogName(id, name)));
    }
    const source = series === 'none' ? null : exportSource(lab, id);
    if (source === null || series === 'none') continue;
    const handovers = series === 'json' ? await handoversOf(lab.traces, manifest) : [];
    const file = join(folder, 'series', `${id}.${EXPORT_FORMATS[series].extension}`);
    await save(file, exportRun({ ...source, handovers }, series));
  }
  // Printed in pieces too: stdout may be a pipe that somebody reads slowly.
  if (json) await print(summary('json'));
  else await print([answers(results ?? resultsOf(experiment, ccas))]).catch(unlessNobodyReads);
}
