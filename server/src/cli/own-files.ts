// Own algorithms that a spec names by their files: which they are says their content, before anything of the spec is checked.
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { OwnEngines } from '#bridge/own-engines';
import type { CcaDescriptor } from '#protocol/cca';
import { ownCcaId, ownDescriptor } from '#protocol/own-algorithm';
import { UsageError } from '../config.ts';
import { AppError } from '../errors.ts';
import { ownTextOf } from '../own/own-text.ts';
import { refusedAlgorithm, type OwnAlgorithms } from '../own/own-algorithms.ts';

/** A text by the file that it was named by. */
export type OwnFiles = ReadonlyMap<string, string>;

const PROGRAM = /\.[tj]s$/;
const Named = z.looseObject({ id: z.string() });
const Flow = z.looseObject({ cca: Named });
const Spec = z.looseObject({
  ccas: z.array(z.unknown()).optional(),
  flows: z.array(z.unknown()).optional(),
  sweep: z.unknown().optional(),
});
const Swept = z.looseObject({ values: z.array(z.unknown()) });

/** The same with their ids, and the texts that these stand for. `pathOf`: where a file is; null: nowhere. */
export async function withOwnFiles(
  json: unknown,
  pathOf: (name: string) => string | null,
): Promise<{ readonly json: unknown; readonly files: OwnFiles }> {
  const files = new Map<string, string>();
  const idOf = async (name: unknown): Promise<unknown> => {
    const path = typeof name === 'string' && PROGRAM.test(name) ? pathOf(name) : null;
    if (path === null) return name;
    const text = ownTextOf(await readFile(path), String(name));
    files.set(String(name), text);
    return ownCcaId(hash('sha256', text, 'hex'));
  };
  const named = async (ref: unknown): Promise<unknown> => {
    const found = Named.safeParse(ref);
    if (!found.success) return ref;
    const { id } = found.data;
    if (PROGRAM.test(id) && pathOf(id) === null) throw new UsageError(`there is no file ${id}`);
    return { ...found.data, id: await idOf(id) };
  };
  const flowed = async (flow: unknown): Promise<unknown> => {
    const found = Flow.safeParse(flow);
    return found.success ? { ...found.data, cca: await named(found.data.cca) } : flow;
  };
  const spec = Spec.safeParse(json);
  if (!spec.success) return { json, files };
  const { ccas, flows, sweep } = spec.data;
  const swept = Swept.safeParse(sweep);
  return {
    json: {
      ...spec.data,
      ...(ccas && { ccas: await Promise.all(ccas.map(named)) }),
      ...(flows && { flows: await Promise.all(flows.map(flowed)) }),
      ...(swept.success && { sweep: { ...swept.data, values: await Promise.all(swept.data.values.map(idOf)) } }),
    },
    files,
  };
}

/** Keeps them, one after the other: which version each becomes is not left to chance. */
export async function keepOwnFiles(own: OwnAlgorithms, files: OwnFiles): Promise<void> {
  for (const [file, text] of files) {
    try {
      await own.add(text, file);
    } catch (error) {
      throw error instanceof AppError && error.code === 'ALGORITHM_REFUSED' ? atPlaceIn(file, error) : error;
    }
  }
}

/** What files of own algorithms declare, for who only writes a spec down: each by the id that it will have. */
export async function declaredIn(names: readonly string[]): Promise<ReadonlyMap<string, CcaDescriptor>> {
  const files = names.filter((name) => PROGRAM.test(name));
  const found = new Map<string, CcaDescriptor>();
  if (files.length === 0) return found;
  const engines = new OwnEngines();
  try {
    for (const file of files) {
      if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
      const text = ownTextOf(await readFile(file), file);
      const read = await engines.describe(text);
      if (!read.ok) throw atPlaceIn(file, refusedAlgorithm(file, read.problem));
      found.set(file, ownDescriptor(hash('sha256', text, 'hex'), read.declaration, null));
    }
  } finally {
    await engines.close();
  }
  return found;
}

/** `FILE:line:column`, as compilers say it. */
function atPlaceIn(file: string, { message, details: { where = file } }: AppError): AppError {
  return new AppError('ALGORITHM_REFUSED', message, { where: where === file ? file : `${file}:${where}` });
}
