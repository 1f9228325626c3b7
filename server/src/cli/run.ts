import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { sweepTemporary, temporaryFolder } from '#bridge/temporary';
import { isMeasured } from '#analysis/kinds';
import type { RunRef } from '#protocol/api';
import { bpfObjects, checked, parseWords, UsageError, whereConfigured } from '../config.ts';
import type { WholeExperiment } from '../experiments/experiment-service.ts';
import { offered } from '../external-programs.ts';
import { imported } from '../bundle/bring.ts';
import { Bundle, isZip } from '../bundle/read.ts';
import { checkDatabase, openLab, type Lab } from '../lab.ts';
import { createLog } from '../log.ts';
import { importLibrary } from '../traces/library.ts';
import { writeBundle } from './bundle.ts';
import { EXIT } from './exit.ts';
import { missingWindows } from './missing-windows.ts';
import { keepOwnFiles } from './own-files.ts';
import { writeReport } from './report.ts';
import { writeResults } from './results.ts';
import { ELSEWHERE, shardOf, type Shard } from '../shard/shard.ts';
import { NO_FILES, readSpec, takenIn } from './spec-file.ts';
import { INTERRUPTED, interruption, isInterrupted } from './waiting.ts';

const HELP = `Usage: paceline run SPEC.json --out DIR [options]        (SPEC.json may be -, or a bundle: FILE.paceline.zip)
       paceline run --template NAME --out DIR [options]
       paceline run SPEC.json --shard I/N --data-dir DIR [options]        (then: paceline merge)

Runs an experiment with the server's own planner, queue and analysis, and writes to DIR:
  summary.json  summary.csv  summary.tex  manifests/<run>.json  series/<run>.csv  if the spec has "qlog": true, qlog/*.sqlog
  and what external programs wrote, logs/*

  --out DIR          where the results go; it is made if it is not there
  --template NAME    in place of a spec: a template that is shipped, or one that was saved in the data folder (docs/templates.md)
  --workers N        cores that runs may use together (default: all)
  --series FORMAT    csv (default), json, parquet or none: without a data folder no samples are made then
  --sampled          write what the runs' samples come to, too: sampled.json, sampled.csv (times to recover and converge, spread over time …)
  --bundle FILE.zip  all of it as one zip file that imports elsewhere, too
  --report FILE.html what came out as one file to read anywhere, too
  --json             print summary.json on standard output, instead of what came out as a table
  --data-dir DIR     work in this data folder and keep everything: what is done there is not done again
  --shard I/N        make only the I-th of N parts, and keep it in the data folder (docs/clusters.md)
  --endpoints FILE   external programs (default: $PACELINE_ENDPOINTS, else endpoints.json in the data folder, which without
                     --data-dir is the server's: ./data, or $PACELINE_DATA_DIR)

A flow's "source": {"kind": "replay", "file": F} is a CSV file of time_s,bytes or a packet capture; the "recorded": {"file": F} of an
element one of time_ms,delay_ms, or of a delay a line, "interval_ms" apart (1000).
An algorithm may be your own, named by its file: {"id": "mine.ts"} (docs/own-algorithms.md).
"$schema": "…/docs/schema/experiment-spec.schema.json" is for your editor; examples/ has specs with it.
A trace in the spec is a file (seen from the spec's folder or from here), a name of the library, or a content hash. So are the
weights of a learned algorithm, but for the library: "params": { "policy": "network", "weights": "my-network.json" }.
`;

const Options = z.object({
  out: z.string().min(1).optional(),
  shard: z
    .string()
    .transform((text, context) => {
      const shard = shardOf(text);
      if (shard !== null) return shard;
      context.addIssue({ code: 'custom', message: 'wants I/N, from 1/N to N/N' });
      return z.NEVER;
    })
    .optional(),
  workers: z.coerce.number().int().min(1).max(1024).default(availableParallelism()),
  series: z.enum(['csv', 'json', 'parquet', 'none']).default('csv'),
  report: z.string().min(1).optional(),
  template: z.string().min(1).optional(),
  bundle: z.string().min(1).optional(),
  json: z.boolean().default(false),
  sampled: z.boolean().default(false),
  dataDir: z.string().optional(),
  endpoints: z.string().min(1).optional(),
});
type Options = z.infer<typeof Options>;

export async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      workers: { type: 'string' },
      series: { type: 'string' },
      report: { type: 'string' },
      template: { type: 'string' },
      shard: { type: 'string' },
      bundle: { type: 'string' },
      json: { type: 'boolean' },
      sampled: { type: 'boolean' },
      'data-dir': { type: 'string' },
      endpoints: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const [file, ...more] = positionals;
  if (file === undefined && values.template === undefined)
    throw new UsageError('run: which spec? Name one, or a --template');
  if (file !== undefined && values.template !== undefined) throw new UsageError('run: a spec or a template, not both');
  if (more.length > 0) throw new UsageError(`run: one spec at a time: ${more.join(' ')}`);
  const interrupted = interruption();
  const { 'data-dir': dataDir, help: _, ...given } = values;
  const options = checked(Options, { ...given, dataDir }, (key) => (key === 'dataDir' ? '--data-dir' : `--${key}`));
  checkShard(options);
  const where = whereConfigured(options.endpoints, options.dataDir, process.env);
  const { external, bpf } = offered(where, bpfObjects(process.env));
  const folder = file === undefined || file === '-' ? process.cwd() : dirname(resolve(file));
  const isFile = file !== undefined && file !== '-' && existsSync(file);
  const bundle = isFile && (await isZip(file)) ? await Bundle.open(resolve(file)) : null;
  const { spec: written, files } =
    bundle !== null || file === undefined
      ? { spec: bundle?.spec ?? null, files: NO_FILES }
      : await readSpec(file, folder);
  await sweepTemporary();
  const dataFolder = options.dataDir ?? (await temporaryFolder());
  const lab = openLab({
    dataDir: resolve(dataFolder),
    workers: options.workers,
    log: createLog('warn'),
    bpf,
    external,
    // Nothing of the folder is left, or it is a shard's, and nobody wants anything of samples.
    samples:
      (options.dataDir !== undefined && options.shard === undefined) || options.series !== 'none' || options.sampled,
  });
  try {
    if (options.dataDir !== undefined) await checkDatabase(lab);
    const listing = await lab.engine.listing();
    await importLibrary(lab.traces, lab.store, createLog('warn'));
    if (bundle !== null) await imported(lab, bundle, { origin: 'file' });
    await keepOwnFiles(lab.ownAlgorithms, files);
    const spec = written ?? lab.templates.named(options.template ?? '').spec;
    const found = await takenIn(spec, lab, folder);
    lab.scheduler.start();
    const { shard } = options;
    if (shard !== undefined && isMeasured(found, listing)) throw new UsageError(`run: ${NOT_MEASURED}`);
    const { id } = await lab.experiments.submit(found, { part: shard });
    if (await isInterrupted(lab, id, interrupted)) return INTERRUPTED;
    const experiment = await lab.experiments.whole(id);
    if (shard !== undefined) return endOfShard(experiment, shard);
    await writeResults(lab, experiment, resolve(options.out ?? ''), options);
    if (options.report !== undefined) await writeReport(lab, id, resolve(options.report));
    if (options.bundle !== undefined) await writeBundle(lab, id, resolve(options.bundle));
    if (options.series !== 'none' || options.sampled) tellBare(lab, experiment.runs);
    const sound = tellUnsound(experiment.runs);
    process.stderr.write(missingWindows(experiment.runs));
    return sound ? EXIT.ok : EXIT.failed;
  } finally {
    bundle?.close();
    await lab.close();
    if (options.dataDir === undefined) await rm(dataFolder, { recursive: true, force: true });
  }
}

const NOT_MEASURED = '--shard: what is measured in real time is of one machine: run it there as a whole';

/** What is written of the whole has no meaning for a part. */
const OF_THE_WHOLE = ['out', 'report', 'bundle', 'json', 'sampled'] as const;

function checkShard(options: Options): void {
  if (options.shard === undefined) {
    if (options.out === undefined) throw new UsageError('--out: is needed: where do the results go?');
    return;
  }
  if (options.dataDir === undefined) throw new UsageError('--shard: needs --data-dir, where its runs are kept');
  const wanted = OF_THE_WHOLE.find((name) => options[name] !== undefined && options[name] !== false);
  if (wanted !== undefined)
    throw new UsageError(`--${wanted}: is of all runs: merge the shards, then run the spec in the merged folder`);
}

/** Says which runs have no result. False: there are some. */
function tellUnsound(runs: Iterable<Pick<RunRef, 'id' | 'state' | 'reason'>>): boolean {
  let sound = true;
  for (const { id, state, reason } of runs) {
    if (state === 'done') continue;
    sound = false;
    process.stderr.write(`run ${id} is ${state}: ${reason ?? 'no reason given'}\n`);
  }
  return sound;
}

function endOfShard({ name, runs }: WholeExperiment, { index, of }: Shard): number {
  const all = new Map<string, Pick<RunRef, 'id' | 'state' | 'reason'>>();
  for (const { id, state, reason } of runs) all.set(id, { id, state, reason });
  const own = [...all.values()].filter(({ state, reason }) => state !== 'cancelled' || reason !== ELSEWHERE);
  const sound = tellUnsound(own);
  const done = own.filter(({ state }) => state === 'done').length;
  process.stdout.write(
    `shard ${index} of ${of} of ${name}: ${done} of its ${own.length} runs are done, of ${all.size}\n`,
  );
  return sound ? EXIT.ok : EXIT.failed;
}

/** What was made without samples is not made again for them. */
function tellBare({ store }: Lab, runs: Iterable<Pick<RunRef, 'id' | 'state'>>): void {
  let bare = 0;
  for (const { id, state } of runs) if (state === 'done' && store.samples.heads(id).size === 0) bare++;
  if (bare > 0)
    process.stderr.write(
      `${bare} runs were made with --series none: they have no samples, and nothing is written of these\n`,
    );
}
