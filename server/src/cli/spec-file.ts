// An experiment as somebody has written it down: the document, and the files beside it that it names.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { EngineListing } from '#protocol/cca';
import { faultsOf } from '#protocol/faults';
import type { CcaRef, PathElement, TraceEntry } from '#protocol/spec';
import { AskedSpec } from '#protocol/spec';
import { UsageError } from '../config.ts';
import { AppError } from '../errors.ts';
import type { Lab } from '../lab.ts';
import { withDelays } from './delays.ts';
import { withOwnFiles, type OwnFiles } from './own-files.ts';
import { replayOf } from './source.ts';

export const NO_FILES: OwnFiles = new Map();

export interface ReadSpec {
  readonly spec: AskedSpec;
  readonly files: OwnFiles;
}

export async function readSpec(file: string, folder: string): Promise<ReadSpec> {
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
  return specOf(json, file, folder);
}

/** What a document says, with the files that it names. `where`: how it is called. */
export async function specOf(json: unknown, where: string, folder: string): Promise<ReadSpec> {
  const own = await withOwnFiles(json, (name) => fileOf(name, folder));
  const spec = AskedSpec.safeParse(
    await withDelays(await withRecordings(own.json, folder), (file) => fileOf(file, folder) ?? file),
  );
  if (spec.success) return { spec: spec.data, files: own.files };
  const faults = faultsOf(spec.error).map(({ path, detail }) => ({ where: path.join('.'), detail }));
  throw new AppError('SPEC_INVALID', `${where} is not a spec`, { faults });
}

/** The spec with all that it names by file taken in. */
export async function takenIn(spec: AskedSpec, lab: Lab, folder: string): Promise<AskedSpec> {
  return withWeights(await withTraces(spec, lab, folder), lab, await lab.engine.listing(), folder);
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
