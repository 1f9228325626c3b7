import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { compareLive, FEWEST_INTERVALS, verdictOf, type LiveComparison, type Sample } from '#analysis/live-comparison';
import { comparedIntervals, type ComparedIntervals } from '#analysis/live-intervals';
import { RunId } from '#protocol/ids';
import type { Measurement } from '#protocol/measurement';
import { checked, parseWords, UsageError } from '../config.ts';
import { AppError } from '../errors.ts';
import { exportRun } from '../export/run.ts';
import { ReadSeries, SeriesUnreadable } from '../export/read-series.ts';
import { exportSource } from '../export/source.ts';
import { createLog } from '../log.ts';
import { readMeasurement } from '../read-iperf3.ts';
import { EXIT } from './exit.ts';
import { table } from './table.ts';

const HELP = `Usage: paceline compare RUN RUN | EXPERIMENT EXPERIMENT | RUN IPERF3.json [options]

Two runs of --data-dir by their ids: what differs between their manifests, and their figures. Two experiments of one spec
under two engines: which metric of which cell moved, beside the spread of repetitions, the largest first.

A run and a report of iperf3:
Compares the throughput of a live connection, as iperf3 -J reported it, with that of an emulated run over the same
intervals: means, spreads and two-sample tests. RUN is a series that paceline run or an export wrote (.csv or .json), or
the id of a run in --data-dir.

  --flow N          which flow of the run, from 0 (default 0)
  --by SECONDS      compare over intervals so long (default: those that were measured, or so many of them together that
                    what iperf3 counts ahead of the network is at most 5 % of the rate)
  --offset SECONDS  where in the run the measurement begins (default 0)
  --data-dir DIR    where the run is, when RUN is an id (default ./data, or $PACELINE_DATA_DIR)
  --json            print everything as JSON
`;

const Options = z.object({
  flow: z.coerce.number().int().min(0).max(999).default(0),
  offset: z.coerce.number().default(0),
  by: z.coerce.number().positive().optional(),
});

export async function compare(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      flow: { type: 'string' },
      offset: { type: 'string' },
      by: { type: 'string' },
      'data-dir': { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const [run, file, ...more] = positionals;
  if (run === undefined || file === undefined || more.length > 0)
    throw new UsageError('compare: which two runs or experiments, or which run and which report of iperf3?');
  if (isStored(run) && isStored(file)) {
    const asked = { dataDir: values['data-dir'], json: values.json === true };
    process.stdout.write(await (await import('./compare-stored.ts')).compareStored([run, file], asked));
    return EXIT.ok;
  }
  const { flow, offset, by } = checked(
    Options,
    { flow: values.flow, offset: values.offset, by: values.by },
    (key) => `--${key}`,
  );
  if (!existsSync(file)) throw new UsageError(`compare: ${file}: no such file`);
  const measurement = await readMeasurement({ file }, file);
  const series = await readRun(run, values['data-dir']);
  const throughput = series.column(`receiver${flow}_throughput_mbps`);
  if (throughput === null) throw new UsageError(`--flow: ${run} has no flow ${flow}`);
  const compared = comparedIntervals(measurement, by);
  const comparison = compareLive(compared, throughput, offset);
  if (comparison === null)
    throw new UsageError(`fewer than ${FEWEST_INTERVALS} intervals of ${file} lie within the run (see --offset)`);
  process.stdout.write(
    values.json === true ? asJson(measurement, compared, comparison) : asText(measurement, compared, comparison),
  );
  return EXIT.ok;
}

/** What is no file and has the form of an id. */
const isStored = (word: string): boolean => !existsSync(word) && RunId.safeParse(word).success;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`compare: ${reasonOf(error)}`);
  }
}

async function readRun(run: string, dataDir: string | undefined): Promise<ReadSeries> {
  try {
    return new ReadSeries(isStored(run) ? await exported(run, dataDir) : await readText(run));
  } catch (error) {
    if (error instanceof SeriesUnreadable) throw new UsageError(`${run}: ${error.message}`);
    throw error;
  }
}

/** The series of a run of a data folder, as an export would write it. */
async function exported(run: string, dataDir: string | undefined): Promise<string> {
  const { openLab } = await import('../lab.ts');
  const folder = resolve(dataDir ?? process.env['PACELINE_DATA_DIR'] ?? 'data');
  const lab = openLab({ dataDir: folder, workers: 1, log: createLog('warn') });
  try {
    const source = exportSource(lab, run);
    if (source === null) throw new AppError('RUN_EMPTY', `run ${run} has recorded nothing yet`);
    return Buffer.concat([...exportRun(source, 'csv')]).toString('utf8');
  } finally {
    await lab.close();
  }
}

const decimal = (value: number): string => String(Number(value.toPrecision(3)));
const chance = (p: number): string => (p < 0.001 ? '< 0.001' : `= ${decimal(p)}`);

function asText(measurement: Measurement, { side, joined }: ComparedIntervals, comparison: LiveComparison): string {
  const { live, emulated, kolmogorovSmirnov: ks, mannWhitney: mw, pIndependent } = comparison;
  const { interval_s, resolution_mbps } = comparison;
  const { protocol, cca, notes } = measurement;
  const sample = ({ mean, sd, independent }: Sample): string =>
    `${decimal(mean)} Mbps on average, standard deviation ${decimal(sd ?? 0)}, worth ${Math.round(independent)} independent values`;
  const what = [protocol.toUpperCase(), cca, `at the ${side}`].filter((part) => part !== null).join(' ');
  return `${table([
    ['live', `${what}: ${sample(live)}`],
    ['emulated', sample(emulated)],
    [
      'intervals',
      `${live.values.length} of ${decimal(interval_s)} s${joined > 1 ? `, ${joined} measured ones each` : ''}; rates are known to ${decimal(resolution_mbps)} Mbps`,
    ],
    [
      'Kolmogorov-Smirnov',
      `D = ${decimal(ks.d)} at ${decimal(ks.at)} Mbps, p ${chance(pIndependent)}; p ${chance(ks.p)} (${ks.method}) were all intervals independent`,
    ],
    [
      'Mann-Whitney',
      `a live interval is the faster one in ${decimal(100 * mw.share)} % of all pairs, p ${chance(mw.p)} were all intervals independent`,
    ],
  ])}${notes.map((note) => `! ${note}\n`).join('')}${verdictOf(comparison).sentence}\n`;
}

function asJson(measurement: Measurement, { side }: ComparedIntervals, comparison: LiveComparison): string {
  const { total: _total, received: _received, streams: _streams, ...head } = measurement;
  const sample = ({ values, ...rest }: Sample): object => ({ intervals: values.length, ...rest });
  const result = {
    measurement: head,
    compared: { side, interval_s: comparison.interval_s, resolution_mbps: comparison.resolution_mbps },
    live: sample(comparison.live),
    emulated: sample(comparison.emulated),
    kolmogorov_smirnov: { ...comparison.kolmogorovSmirnov, p_independent: comparison.pIndependent },
    mann_whitney: comparison.mannWhitney,
    ...verdictOf(comparison),
  };
  return `${JSON.stringify(result, null, 2)}\n`;
}
