// An experiment as one zip file: nothing of it is held whole.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { figuresRecord } from '#analysis/figures-record';
import { canonicalJson } from '#analysis/identity';
import { isMeasured } from '#analysis/kinds';
import { isShippedRecording } from '#analysis/shipped-recording';
import { ownOfSpec } from '#analysis/own-of-spec';
import { tracesOfSpec } from '#analysis/trace-owners';
import type { TraceRecord } from '#protocol/api';
import { BUNDLE_FILES, type BundledRun, type BundledTrace, type BundleHead } from '#protocol/bundle';
import type { ExperimentSpec } from '#protocol/spec';
import type { WholeExperiment } from '../experiments/experiment-service.ts';
import { experimentCsv, surveySteps } from '../export/experiment.ts';
import { encodeText } from '../export/formats.ts';
import { reportOf } from '../export/report.ts';
import { experimentOwners } from '../export/source.ts';
import type { Lab } from '../lab.ts';
import { paced } from '../slices.ts';
import { VERSION } from '../version.ts';
import { samplesHash, summaryHash } from './hashes.ts';
import { readme } from './readme.ts';

/** `all`: every trace; `licensed`: shipped ones, and those whose licence is known; `none`: their hashes alone. */
export const TRACE_CHOICES = ['all', 'licensed', 'none'] as const;
export type TraceChoice = (typeof TRACE_CHOICES)[number];

const isLicensed = (trace: TraceRecord): boolean =>
  trace.licence !== '' || (trace.origin === 'library' && !isShippedRecording(trace));

function traceHead(trace: TraceRecord, choice: TraceChoice): BundledTrace {
  const { id, name, description, licence, source, technology, place } = trace;
  const left_out =
    choice === 'none'
      ? 'left out on request'
      : choice === 'licensed' && !isLicensed(trace)
        ? 'its licence is not known'
        : null;
  return { id, name, left_out, description, licence, source, technology, place };
}

/** Hashes of weights that parameters name. */
export function weightsOfSpec(
  { ccas, flows }: ExperimentSpec,
  isWeights: (cca: string, param: string) => boolean,
): string[] {
  const refs = [...ccas, ...flows.flatMap(({ cca }) => (cca === '$cca' ? [] : [cca]))];
  return [
    ...new Set(
      refs.flatMap(({ id, params }) =>
        Object.entries(params).flatMap(([name, value]) =>
          typeof value === 'string' && value !== '' && isWeights(id, name) ? [value] : [],
        ),
      ),
    ),
  ];
}

async function headOf(lab: Lab, experiment: WholeExperiment, choice: TraceChoice): Promise<BundleHead> {
  const { id, name, created_at, engine_version, spec, runs_total } = experiment;
  const listing = await lab.engine.listing();
  const isWeights = (cca: string, param: string): boolean =>
    listing.ccas.find((one) => one.id === cca)?.params.find((one) => one.name === param)?.type === 'weights';
  return {
    format: 'paceline.bundle',
    version: 1,
    experiment: id,
    name,
    created_at,
    paceline: VERSION,
    engine_version,
    measured: isMeasured(spec, listing),
    ...labelsOf(lab, id),
    ...algorithmsOf(lab, spec),
    runs: runs_total,
    traces: tracesOfSpec(spec).map((trace) => traceHead(lab.traces.get(trace), choice)),
    weights: weightsOfSpec(spec, isWeights).map((weights) => ({
      id: weights,
      name: lab.weights.get(weights).info.name,
    })),
  };
}

/** Own algorithms that it names, if it names any. */
function algorithmsOf(lab: Lab, spec: ExperimentSpec): Pick<BundleHead, 'algorithms'> {
  const algorithms = ownOfSpec(spec).map((own) => {
    const { id, program, version, declaration } = lab.ownAlgorithms.get(own);
    return { id, program, name: declaration.name, version };
  });
  return algorithms.length === 0 ? {} : { algorithms };
}

/** What was said of it, if anything was. */
function labelsOf(lab: Lab, id: string): Pick<BundleHead, 'labels'> {
  const { note, tags, starred } = lab.store.labels.get('experiment', id);
  return note === '' && tags.length === 0 && !starred ? {} : { labels: { note, tags, starred } };
}

/** A line for each place in the matrix: the baseline's pair with itself stands in two. */
function* runLines(lab: Lab, { runs }: WholeExperiment): Generator<string, void, undefined> {
  for (const { id, cell, role, repetition, state, reason, summary } of runs) {
    const line: BundledRun = {
      run: id,
      cell,
      role,
      repetition,
      state,
      reason,
      summary_sha256: summary === null ? null : summaryHash(summary),
      samples_sha256: samplesHash(lab.reader, id),
      summary,
    };
    yield `${canonicalJson(line)}\n`;
    yield '';
  }
}

function* manifestLines(lab: Lab, { runs }: WholeExperiment): Generator<string, void, undefined> {
  const seen = new Set<string>();
  for (const { id } of runs) {
    if (seen.has(id)) continue;
    seen.add(id);
    yield `${canonicalJson({ run: id, manifest: lab.experiments.run(id).manifest })}\n`;
  }
}

async function* figuresJson(lab: Lab, experiment: WholeExperiment): AsyncGenerator<string, void, undefined> {
  const { ccas } = await lab.engine.listing();
  yield `{"answers":${JSON.stringify(await lab.figures.answers(experiment.id, ccas))},\n"cells":[`;
  let before = '';
  for (const result of await lab.figures.results(experiment.id, ccas)) {
    yield `${before}\n${JSON.stringify(figuresRecord(result))}`;
    before = ',';
  }
  yield '\n]}\n';
}

interface BundleFile {
  readonly name: string;
  readonly open: () => Promise<Readable>;
}

const text = (name: string, content: string): BundleFile => ({
  name,
  open: () => Promise.resolve(Readable.from([Buffer.from(content)])),
});
const lines = (name: string, made: () => Iterable<string>): BundleFile => ({
  name,
  open: () => Promise.resolve(Readable.from(paced(encodeText(made())))),
});
const stored = (name: string, path: () => Promise<string>): BundleFile => ({
  name,
  open: async () => createReadStream(await path()),
});

async function filesOf(lab: Lab, experiment: WholeExperiment, choice: TraceChoice): Promise<BundleFile[]> {
  const head = await headOf(lab, experiment, choice);
  const survey = await lab.slices.run(surveySteps(experiment));
  const around = { page: null, owners: experimentOwners(lab, experiment) };
  const carried = head.traces.filter(({ left_out }) => left_out === null);
  return [
    text(BUNDLE_FILES.head, `${JSON.stringify(head, null, 1)}\n`),
    text(BUNDLE_FILES.readme, readme(head)),
    text(BUNDLE_FILES.spec, `${JSON.stringify(experiment.spec, null, 1)}\n`),
    ...carried.map(({ id }) => stored(`traces/${id}.trace`, () => lab.traces.file(id))),
    ...head.weights.map(({ id }) => stored(`weights/${id}.json`, () => lab.weights.file(id))),
    ...(head.algorithms ?? []).map(({ program }) =>
      text(`algorithms/${program}.ts`, lab.ownAlgorithms.text(program) ?? ''),
    ),
    lines(BUNDLE_FILES.manifests, () => manifestLines(lab, experiment)),
    lines(BUNDLE_FILES.runs, () => runLines(lab, experiment)),
    lines(BUNDLE_FILES.summary, () => experimentCsv(experiment, survey, around)),
    {
      name: BUNDLE_FILES.figures,
      open: () => Promise.resolve(Readable.from(figuresJson(lab, experiment), { objectMode: false })),
    },
    { name: BUNDLE_FILES.report, open: async () => Readable.from(paced(await reportOf(lab, experiment.id, null))) },
  ];
}

/** Tells the hash of what has passed when it is over. */
function hashing(tell: (hash: string) => void): Transform {
  const sum = createHash('sha256');
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      tell(sum.digest('hex'));
      done();
    },
  });
}

/** The zip file as it is made. The same experiment gives the same bytes on the same day, but for the report's date. */
export async function bundleOf(lab: Lab, id: string, choice: TraceChoice = 'all'): Promise<Readable> {
  const experiment = await lab.experiments.whole(id);
  const files = await filesOf(lab, experiment, choice);
  const zip = new ZipFile();
  const out = Readable.from(zip.outputStream, { objectMode: false });
  const options = { mtime: new Date(experiment.created_at), mode: 0o100644, compress: true };
  const hashes = new Map<string, string>();
  const fail = (error: unknown): void => void out.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  let current: Readable | null = null;
  // Whoever wanted it has gone: nothing is read any more.
  out.once('close', () => current?.destroy());
  for (const { name, open } of [...files, hashesFile(hashes)])
    zip.addReadStreamLazy(name, options, (give) => {
      open().then(
        (content) => {
          current = content;
          const passing = hashing((hash) => hashes.set(name, hash));
          pipeline(content, passing).catch(fail);
          give(null, passing);
        },
        (error: unknown) => {
          fail(error);
          give(error, passingNothing());
        },
      );
    });
  zip.end();
  return out;
}

const passingNothing = (): Readable => Readable.from([]);

/** Comes last, when all others have passed. */
const hashesFile = (hashes: ReadonlyMap<string, string>): BundleFile => ({
  name: BUNDLE_FILES.hashes,
  open: () => Promise.resolve(Readable.from([Buffer.from(`${JSON.stringify(Object.fromEntries(hashes), null, 1)}\n`)])),
});

export const bundleName = (id: string): string => `paceline-${id}.paceline.zip`;
