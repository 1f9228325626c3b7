// Traces that the reader has brought in: read in this browser, and kept there alone.
import type { TraceRecord, TraceSourceRecord } from '#protocol/api';
import { TRACE_MODULE } from '#protocol/static-site';
import { plainLine } from '#protocol/text';
import type { SourceChoices, TraceForm } from '#protocol/trace';
import type { ReadOptions, TraceReading } from '#engine/trace-reader';
import { BASE } from '../../ui/place';
import { Refused, unknown } from '../refusals';
import { database, kept, type KeptTrace } from './database';
import { packed } from './packing';
import type { TraceAnswer, TraceQuestion } from './trace-worker';

/** As the server's pictures have. */
const LOOK_BINS = 400;
const SPARK_BINS = 200;

let module: Promise<WebAssembly.Module> | null = null;

function reader(): Promise<WebAssembly.Module> {
  module ??= WebAssembly.compileStreaming(fetch(BASE + TRACE_MODULE)).catch((error: unknown) => {
    module = null;
    throw error;
  });
  return module;
}

interface Read {
  readonly reading: TraceReading;
  readonly forms: readonly TraceForm[];
}

/** Whatever the file does to its reader, the page is not held up by it. */
async function read(file: Blob, options: ReadOptions, signal?: AbortSignal): Promise<Read> {
  const question: TraceQuestion = { module: await reader(), file, options };
  const worker = new Worker(new URL('./trace-worker.ts', import.meta.url), { type: 'module' });
  try {
    const answer = await new Promise<TraceAnswer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<TraceAnswer>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      signal?.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')), { once: true });
      worker.postMessage(question);
    });
    if (!answer.ok) throw new Error(answer.message);
    return answer;
  } finally {
    worker.terminate();
  }
}

/** Files that are looked at and are no traces yet; as long as the page is open. */
const sources = new Map<string, { readonly file: Blob; readonly name: string }>();

function sourceOf(id: string): { readonly file: Blob; readonly name: string } {
  const source = sources.get(id);
  if (source === undefined) throw new Refused(unknown('The file'));
  return source;
}

export async function looked(id: string, choices: SourceChoices, signal?: AbortSignal): Promise<TraceSourceRecord> {
  const { file, name } = sourceOf(id);
  const { reading, forms } = await read(file, { choices, bins: LOOK_BINS }, signal);
  const of = { id, name, formats: [...forms] };
  if (!reading.ok) return { ...of, info: null, preview: null, problem: reading.problem };
  return { ...of, info: reading.report.info, preview: reading.report.preview, problem: null };
}

export async function brought(file: Blob, name: string, signal?: AbortSignal): Promise<TraceSourceRecord> {
  const id = crypto.randomUUID();
  sources.set(id, { file, name });
  return looked(id, { options: {} }, signal);
}

export const thrownAway = (id: string): void => void sources.delete(id);

/** The same content twice is the same trace. */
export async function keptAs(id: string, choices: SourceChoices, name?: string): Promise<TraceRecord> {
  const source = sourceOf(id);
  const { reading } = await read(source.file, { choices, bins: SPARK_BINS, dynamics: true });
  if (!reading.ok)
    throw new Refused({
      type: 'urn:paceline:problem:trace-refused',
      title: 'The file is not a trace',
      status: 422,
      code: 'TRACE_REFUSED',
      detail: reading.problem.message,
      trace: reading.problem,
    });
  const { info, preview, dynamics } = reading.report;
  const record: TraceRecord = {
    id: info.sha256,
    name: plainLine(name ?? source.name),
    origin: 'upload',
    description: '',
    licence: '',
    source: '',
    technology: '',
    place: '',
    formerly: [],
    created_at: new Date().toISOString(),
    info,
    spark: preview.mean_mbps,
  };
  const trace: KeptTrace = { id: record.id, record, dynamics: dynamics ?? null, text: await packed(reading.text) };
  await kept(async (db) => {
    const known = await db.get('traces', record.id);
    if (known === undefined) await db.put('traces', trace);
  });
  sources.delete(id);
  return (await keptTrace(record.id))?.record ?? record;
}

export const keptTrace = async (id: string): Promise<KeptTrace | undefined> => (await database()).get('traces', id);

export const keptTraces = async (): Promise<TraceRecord[]> =>
  (await (await database()).getAll('traces'))
    .map(({ record }) => record)
    .sort((a, b) => b.created_at.localeCompare(a.created_at));

export async function changedTrace(id: string, change: Partial<TraceRecord>): Promise<TraceRecord | undefined> {
  const found = await keptTrace(id);
  if (found === undefined) return undefined;
  const record = { ...found.record, ...change };
  await kept((db) => db.put('traces', { ...found, record }));
  return record;
}
