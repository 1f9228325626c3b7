// Files that others have written, read whole: none that never ends, and none that is larger than what is meant can be.
import { open } from 'node:fs/promises';
import { constants } from 'node:fs';
import { jsonFault } from '#analysis/json-fault';
import { AppError } from '../errors.ts';

const MEBI = 2 ** 20;

/** What is wrong with a file that was named, with its name before it. */
export const badFile = (file: string, what: string): AppError => new AppError('SPEC_INVALID', what, { where: file });

export async function boundedText(file: string, mostBytes: number): Promise<string> {
  let handle;
  try {
    // A pipe that nobody writes to would be waited for.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw badFile(file, error instanceof Error ? error.message : String(error));
  }
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw badFile(file, `it is no file`);
    if (found.size > mostBytes)
      throw badFile(file, `it is larger than ${mostBytes / MEBI} MiB, more than such a file can need`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** JSON, or the line where it stops being that. */
export function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const fault = jsonFault(text);
    const what = fault === null ? `it cannot be read: ${error instanceof Error ? error.message : ''}` : fault.message;
    const where = fault === null ? file : `${file}:${fault.line}:${fault.column}`;
    throw new AppError('JSON_INVALID', what, { where });
  }
}
