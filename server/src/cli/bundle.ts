import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { sweepTemporary, temporaryFolder } from '#bridge/temporary';
import { imported } from '../bundle/bring.ts';
import { compare, type Comparison } from '../bundle/compare.ts';
import { Bundle } from '../bundle/read.ts';
import { bundleName, bundleOf, TRACE_CHOICES, type TraceChoice } from '../bundle/write.ts';
import { checked, parseWords, UsageError } from '../config.ts';
import { checkDatabase, openLab, type Lab } from '../lab.ts';
import { createLog } from '../log.ts';
import { importLibrary } from '../traces/library.ts';
import { EXIT } from './exit.ts';
import { importSeries, isZip } from './import-series.ts';
import { INTERRUPTED, interruption, isInterrupted } from './waiting.ts';

const HELP = `Usage: paceline bundle EXPERIMENT [--out FILE.paceline.zip] [--traces all|licensed|none] [--data-dir DIR]
       paceline import FILE.paceline.zip | FILE.flent.gz | FILE.qlog | IPERF3.json | NS3.tr | OMNETPP.vec [--json] [--data-dir DIR]
       paceline verify FILE.paceline.zip [--workers N] [--json] [--data-dir DIR]

A bundle is an experiment as one zip file: spec, manifests, traces with their licences, weights, results with a hash for each run, report.

  bundle   writes one of an experiment of the data folder; paceline run SPEC.json --bundle FILE writes one of what it ran
  import   brings its traces, weights and own algorithms into the data folder, and says what to do next; of a data file of flent, a qlog, a
           report of iperf3, an ASCII trace of ns-3 or vectors of OMNeT++ its series, to be compared with runs
  verify   checks it, makes its runs again and compares them byte for byte; exit code 1 when something differs

  --traces WHICH   all (default), licensed: those whose licence is known, none: their hashes alone
  --data-dir DIR   bundle, import: default $PACELINE_DATA_DIR, else ./data, the server's. verify: default a folder of its own, forgotten afterwards
`;

const Options = z.object({
  out: z.string().min(1).optional(),
  traces: z.enum(TRACE_CHOICES).default('all'),
  workers: z.coerce.number().int().min(1).max(1024).default(availableParallelism()),
  json: z.boolean().default(false),
  dataDir: z.string().optional(),
});
type Options = z.infer<typeof Options>;

/** The bundle of an experiment of this lab, as a file: whole, or not at all. */
export async function writeBundle(lab: Lab, id: string, file: string, traces: TraceChoice = 'all'): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  try {
    await pipeline(await bundleOf(lab, id, traces), createWriteStream(unfinished));
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

function asked(what: string, words: readonly string[]): { readonly subject: string; readonly options: Options } | null {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      out: { type: 'string', short: 'o' },
      traces: { type: 'string' },
      workers: { type: 'string' },
      json: { type: 'boolean' },
      'data-dir': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return null;
  }
  const [subject, ...more] = positionals;
  if (subject === undefined)
    throw new UsageError(`${what}: ${what === 'bundle' ? 'which experiment?' : 'which file?'}`);
  if (more.length > 0) throw new UsageError(`${what}: one at a time: ${more.join(' ')}`);
  const { 'data-dir': dataDir, help: _, ...given } = values;
  return {
    subject,
    options: checked(Options, { ...given, dataDir }, (key) => (key === 'dataDir' ? '--data-dir' : `--${key}`)),
  };
}

const kept = (dataDir: string | undefined): string => resolve(dataDir ?? process.env['PACELINE_DATA_DIR'] ?? 'data');

export async function bundle(words: readonly string[]): Promise<number> {
  const given = asked('bundle', words);
  if (given === null) return EXIT.ok;
  const { subject, options } = given;
  const lab = openLab({ dataDir: kept(options.dataDir), workers: 1, log: createLog('warn') });
  try {
    const { id } = lab.experiments.item(subject);
    const file = options.out ?? bundleName(id);
    await writeBundle(lab, id, resolve(file), options.traces);
    process.stdout.write(`${file}\n`);
    return EXIT.ok;
  } finally {
    await lab.close();
  }
}

export async function importBundle(words: readonly string[]): Promise<number> {
  const given = asked('import', words);
  if (given === null) return EXIT.ok;
  const { subject, options } = given;
  if (existsSync(subject) && !(await isZip(subject))) {
    process.stdout.write(await importSeries(resolve(subject), kept(options.dataDir), options.json));
    return EXIT.ok;
  }
  const found = await Bundle.open(resolve(subject));
  const lab = openLab({ dataDir: kept(options.dataDir), workers: 1, log: createLog('warn') });
  try {
    await importLibrary(lab.traces, lab.store, createLog('warn'));
    const result = await imported(lab, found, { origin: 'file' });
    const { name, traces, weights, algorithms, same_engine, engine_version } = result;
    if (options.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    else
      process.stdout.write(
        `${name}: ${traces.length} traces and ${weights.length} weights files${algorithms.length === 0 ? '' : `, and ${algorithms.length} own algorithms,`} are new here\n` +
          (same_engine
            ? ''
            : `It was made by engine ${engine_version ?? 'unknown'}; this one may give other numbers.\n`) +
          `paceline verify ${subject} makes it again and compares\n`,
      );
    return EXIT.ok;
  } finally {
    found.close();
    await lab.close();
  }
}

/** What a person reads. */
function verdict(found: Comparison, head: Bundle['head'], here: string): string {
  const { runs, same, samples, differences, different } = found;
  const engines =
    head.engine_version === here
      ? `engine ${here}`
      : `made by engine ${head.engine_version ?? 'unknown'}, made again by ${here}`;
  if (different === 0)
    return `${same} of ${runs} runs are the same, byte for byte: every summary${samples.compared > 0 ? `, and the samples of ${samples.same}` : ''} (${engines})\n`;
  const lines = differences.map(({ run, what, detail }) => `  ${run} (${what}): ${detail}\n`);
  return `${same} of ${runs} runs are the same; ${different} differ (${engines})\n${lines.join('')}${different > differences.length ? `  and ${different - differences.length} more\n` : ''}`;
}

export async function verify(words: readonly string[]): Promise<number> {
  const given = asked('verify', words);
  if (given === null) return EXIT.ok;
  const { subject, options } = given;
  const found = await Bundle.open(resolve(subject));
  try {
    if (!found.head.measured) return await verified(found, options);
    process.stdout.write('it is whole; its runs were measured in real time, and no two measurements are the same\n');
    return EXIT.ok;
  } finally {
    found.close();
  }
}

async function verified(found: Bundle, { dataDir, workers, json }: Options): Promise<number> {
  const interrupted = interruption();
  await sweepTemporary();
  const folder = dataDir === undefined ? await temporaryFolder() : resolve(dataDir);
  const lab = openLab({ dataDir: folder, workers, log: createLog('warn') });
  try {
    if (dataDir !== undefined) await checkDatabase(lab);
    await importLibrary(lab.traces, lab.store, createLog('warn'));
    await imported(lab, found, { origin: 'file' });
    lab.scheduler.start();
    const { id } = await lab.experiments.submit(found.spec);
    if (await isInterrupted(lab, id, interrupted)) return INTERRUPTED;
    const result = await compare(lab, found, await lab.experiments.whole(id));
    const { engine_version } = await lab.engine.listing();
    process.stdout.write(
      json
        ? `${JSON.stringify({ bundle: { experiment: found.head.experiment, engine_version: found.head.engine_version }, engine_version, ...result }, null, 2)}\n`
        : verdict(result, found.head, engine_version),
    );
    return result.different === 0 ? EXIT.ok : EXIT.failed;
  } finally {
    await lab.close();
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
  }
}
