import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { sweepTemporary, temporaryFolder } from '#bridge/temporary';
import { isMeasured } from '#analysis/kinds';
import type { RunRef } from '#protocol/api';
import type { EngineListing } from '#protocol/cca';
import { faultsOf } from '#protocol/faults';
import type { CcaRef, PathElement, TraceEntry } from '#protocol/spec';
import { AskedSpec } from '#protocol/spec';
import { bpfObjects, checked, parseWords, UsageError, whereConfigured } from '../config.ts';
import { AppError } from '../errors.ts';
import type { WholeExperiment } from '../experiments/experiment-service.ts';
import { offered } from '../external-programs.ts';
import { imported } from '../bundle/bring.ts';
import { Bundle, isZip } from '../bundle/read.ts';
import { checkDatabase, openLab, type Lab } from '../lab.ts';
import { createLog } from '../log.ts';
import { importLibrary } from '../traces/library.ts';
import { writeBundle } from './bundle.ts';
import { withDelays } from './delays.ts';
import { EXIT } from './exit.ts';
import { missingWindows } from './missing-windows.ts';
import { keepOwnFiles, withOwnFiles, type OwnFiles } from './own-files.ts';
import { writeReport } from './report.ts';
import { writeResults } from './results.ts';
import { ELSEWHERE, shardOf, type Shard } from '../shard/shard.ts';
import { replayOf } from './source.ts';
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
    if (bundle !== null) await imported(lab, bundle, 'file');
    await keepOwnFiles(lab.ownAlgorithms, files);
    const spec = written ?? lab.templates.named(options.template ?? '').spec;
    const found = await withWeights(await withTraces(spec, lab, folder), lab, listing, folder);
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

const NO_FILES: OwnFiles = new Map();

async function readSpec(file: string, folder: string): Promise<{ readonly spec: AskedSpec; readonly files: OwnFiles }> {
  let source: string;
  try {
    source = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`run: ${error instanceof Error ? error.message : String(error)}`);
  }
  let json: unknown;
  try {
    json = JSON.parse(source);
  } catch (error) {
    throw new AppError('JSON_INVALID', `${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const own = await withOwnFiles(json, (name) => fileOf(name, folder));
  const spec = AskedSpec.safeParse(
    await withDelays(await withRecordings(own.json, folder), (file) => fileOf(file, folder) ?? file),
  );
  if (spec.success) return { spec: spec.data, files: own.files };
  const faults = faultsOf(spec.error).map(({ path, detail }) => ({ where: path.join('.'), detail }));
  throw new AppError('SPEC_INVALID', `${file} is not a spec`, { faults });
}

const NamedRecording = z.looseObject({
  source: z.strictObject({ kind: z.literal('replay'), file: z.string().min(1) }),
});

/** A recording that is named by its file, seen from the spec's folder or from here, becomes what it holds. */
async function withRecordings(json: unknown, folder: string): Promise<unknown> {
  const spec = z.looseObject({ flows: z.array(z.unknown()) }).safeParse(json);
  if (!spec.success) return json;
  const flows = await Promise.all(
    spec.data.flows.map(async (flow) => {
      const named = NamedRecording.safeParse(flow);
      if (!named.success) return flow;
      const { file } = named.data.source;
      return { ...named.data, source: await replayOf(fileOf(file, folder) ?? file) };
    }),
  );
  return { ...spec.data, flows };
}

/** The spec with its trace files imported and named by content. */
async function withTraces(spec: AskedSpec, lab: Lab, folder: string): Promise<AskedSpec> {
  const named = async <T extends TraceEntry>(ref: T): Promise<T> => {
    if (!('trace' in ref)) return ref;
    const path = fileOf(ref.trace, folder);
    if (path === null) return ref;
    const { record } = await lab.traces.add(path, { name: basename(path), origin: 'file' });
    return { ...ref, trace: record.id };
  };
  const traces: TraceEntry[] = [];
  for (const ref of spec.traces) traces.push(await named(ref));
  const further = async ({ capacity, ...element }: PathElement): Promise<PathElement> =>
    capacity === undefined ? element : { ...element, capacity: await named(capacity) };
  const elements = { ...spec.elements };
  for (const direction of ['forward', 'reverse'] as const) {
    const given = elements[direction];
    if (given !== undefined) elements[direction] = await Promise.all(given.map(further));
  }
  return {
    ...spec,
    traces,
    ...(spec.reverse === undefined ? {} : { reverse: await named(spec.reverse) }),
    ...(spec.elements === undefined ? {} : { elements }),
  };
}

/** The spec with its weights files imported and named by content. */
async function withWeights(spec: AskedSpec, lab: Lab, { ccas }: EngineListing, folder: string): Promise<AskedSpec> {
  const named = async <T extends CcaRef>(ref: T): Promise<T> => {
    const { id, params } = ref;
    const next = { ...params };
    for (const { name, type } of ccas.find((cca) => cca.id === id)?.params ?? []) {
      const value = params[name];
      if (type !== 'weights' || typeof value !== 'string' || value === '') continue;
      const path = fileOf(value, folder);
      if (path !== null) next[name] = (await lab.weights.add(path, value)).record.id;
    }
    return { ...ref, params: next };
  };
  return {
    ...spec,
    ccas: await Promise.all(spec.ccas.map(named)),
    flows: await Promise.all(
      spec.flows.map(async (flow) => ({ ...flow, cca: flow.cca === '$cca' ? flow.cca : await named(flow.cca) })),
    ),
  };
}

/** Seen from the spec's folder, or from here. */
const fileOf = (name: string, folder: string): string | null =>
  [resolve(folder, name), resolve(name)].find((candidate) => existsSync(candidate)) ?? null;
