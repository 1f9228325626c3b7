// A file of expectations, with the spec that it holds or names; and the line of each expectation, for those who are told of it.
import { dirname, resolve } from 'node:path';
import { jsonLines } from '#analysis/json-lines';
import { Expectations } from '#protocol/expectations';
import { faultsOf } from '#protocol/faults';
import { AppError } from '../errors.ts';
import { boundedText, jsonOf } from './bounded-file.ts';
import { specOf, type ReadSpec } from './spec-file.ts';

const MOST_BYTES = 8 * 2 ** 20;
/** More faults of one file nobody reads. */
const MOST_FAULTS = 20;

export interface ReadExpectations {
  readonly file: string;
  /** What the names in it are seen from. */
  readonly folder: string;
  readonly expectations: Expectations;
  readonly read: ReadSpec;
  /** Where the spec's own names are seen from. */
  readonly specFolder: string;
  /** Of each expectation. */
  readonly lines: readonly number[];
}

interface Document {
  readonly json: unknown;
  readonly text: string;
  readonly folder: string;
}

async function documentOf(file: string): Promise<Document> {
  const text = await boundedText(file, MOST_BYTES);
  return { json: jsonOf(text, file), text, folder: dirname(resolve(file)) };
}

const hasExpectations = (json: unknown): boolean => typeof json === 'object' && json !== null && 'expectations' in json;

/** A spec in a file of its own, or of a file of expectations. */
export async function readAnySpec(file: string): Promise<{ readonly read: ReadSpec; readonly folder: string }> {
  const { json, text, folder } = await documentOf(file);
  if (!hasExpectations(json)) return { read: await specOf(json, file, folder), folder };
  const { read, specFolder } = await expected(file, { json, text, folder });
  return { read, folder: specFolder };
}

export const readExpectations = async (file: string): Promise<ReadExpectations> =>
  expected(file, await documentOf(file));

/** It, the spec that it names, and its baselines: what is asked, without the algorithms that it is asked of. */
export async function questionFiles(file: string): Promise<readonly string[]> {
  const document = await documentOf(file);
  const { spec, expectations } = parsed(file, document);
  const baselines = expectations.map((one) => ('not_worse_than' in one ? one.not_worse_than : null));
  const named = [spec, ...baselines].filter((name) => typeof name === 'string');
  return [...new Set([resolve(file), ...named.map((name) => resolve(document.folder, name))])];
}

function parsed(file: string, { json, text }: Document): Expectations {
  const found = Expectations.safeParse(json);
  if (!found.success) {
    const all = faultsOf(found.error).slice(0, MOST_FAULTS);
    const at = jsonLines(
      text,
      all.map(({ path }) => path),
    );
    const faults = all.map(({ path, detail }, i) => ({
      where: `${file}:${at[i] ?? 1}`,
      detail: `${path.join('.')}: ${detail}`.replace(/^: /, ''),
    }));
    throw new AppError('SPEC_INVALID', `${file} holds no expectations`, { faults });
  }
  return found.data;
}

async function expected(file: string, document: Document): Promise<ReadExpectations> {
  const { text, folder } = document;
  const data = parsed(file, document);
  const common = {
    file,
    folder,
    expectations: data,
    lines: jsonLines(
      text,
      data.expectations.map((_, i) => ['expectations', i]),
    ),
  };
  if (typeof data.spec !== 'string')
    return { ...common, read: await specOf(data.spec, `${file}: spec`, folder), specFolder: folder };
  const named = await documentOf(resolve(folder, data.spec));
  return { ...common, read: await specOf(named.json, data.spec, named.folder), specFolder: named.folder };
}
