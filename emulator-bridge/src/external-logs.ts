// What external programs have said and written in a run: gathered when it is over, however it ended, and cut to a bound.
import { constants, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LOG_STREAMS, logName, PROGRAM_ENDS, type ProgramEnd } from '#protocol/program-logs';
import type { RunManifest } from '#protocol/manifest';

/** Of an output: paceline-tun leaves the first piece and the last two. */
export const PIECE_BYTES = 256 * 1024;
/** Of a file that a program writes itself: its first part and its last. */
export const FILE_PART_BYTES = 8 * 2 ** 20;
/** Of each end, where a pattern fits more. */
export const MOST_FILES = 4;

export interface Logged {
  /** The CCA's. */
  readonly id: string;
  /** Whether its output is kept (true when absent); a name, with one `*` or none: and the files of this name that it writes. */
  readonly log?: boolean | string;
}

/** What is kept of one end of a flow, below the folder in which the run's programs work. */
export interface KeptEnd {
  readonly flow: number;
  readonly end: ProgramEnd;
  /** Its streams: -stdout.0 and so on of this name. */
  readonly output: string;
  /** The folder in which it alone works, and which files there are kept. */
  readonly files: { readonly folder: string; readonly pattern: string } | null;
}

const OUTPUT = 'output';

export const keptEnds = ({ flows }: RunManifest, programs: readonly Logged[]): KeptEnd[] =>
  flows.flatMap(({ cca }, flow) => {
    const { log = true } = programs.find(({ id }) => id === cca.id) ?? { log: false };
    if (log === false) return [];
    return PROGRAM_ENDS.map((end) => ({
      flow,
      end,
      output: `${OUTPUT}/flow${flow}-${end}`,
      files: log === true ? null : { folder: `flow${flow}-${end}`, pattern: log },
    }));
  });

export async function prepareLogs(folder: string, kept: readonly KeptEnd[]): Promise<void> {
  if (kept.length > 0) await mkdir(join(folder, OUTPUT));
  for (const { files } of kept) if (files !== null) await mkdir(join(folder, files.folder));
}

/** Copies what there is to `into`, a folder that is made if there is anything. */
export async function gatherLogs(folder: string, kept: readonly KeptEnd[], into: string): Promise<void> {
  for (const { flow, end, output, files } of kept) {
    for (const stream of LOG_STREAMS)
      await write(into, logName({ flow, end, what: stream }), await piecesOf(folder, `${output}-${stream}`));
    if (files === null) continue;
    const fitting = (await namesIn(folder, files.folder)).filter((name) => fits(files.pattern, name)).sort();
    for (const file of fitting.slice(0, MOST_FILES))
      await write(into, logName({ flow, end, what: 'file', file }), await partsOf(join(folder, files.folder, file)));
  }
}

/** Whether the name is one that the pattern, with at most one `*` for any part of it, means. */
function fits(pattern: string, name: string): boolean {
  const [before = '', after] = pattern.split('*');
  if (!/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/.test(name)) return false;
  if (after === undefined) return name === pattern;
  return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

/** Nothing of a folder that is another by now: a program may have put a link in its place. */
async function namesIn(root: string, folder: string): Promise<string[]> {
  try {
    const path = join(await realpath(root), folder);
    return (await realpath(path)) === path ? await readdir(path) : [];
  } catch {
    return [];
  }
}

/** Bytes of a file that are kept, or how many are not. */
type Part = { readonly file: FileHandle; readonly from: number; readonly to: number } | { readonly leftOut: number };

async function piecesOf(root: string, output: string): Promise<Part[]> {
  const folder = output.slice(0, output.lastIndexOf('/'));
  const prefix = `${output.slice(folder.length + 1)}.`;
  const numbers = (await namesIn(root, folder))
    .flatMap((name) => (name.startsWith(prefix) ? [Number(name.slice(prefix.length))] : []))
    .filter((number) => Number.isSafeInteger(number))
    .sort((a, b) => a - b);
  const parts: Part[] = [];
  let next = 0;
  for (const number of new Set([...numbers.slice(0, 1), ...numbers.slice(-2)])) {
    const file = await regular(join(root, `${output}.${number}`));
    if (file === null) continue;
    if (number > next) parts.push({ leftOut: (number - next) * PIECE_BYTES });
    parts.push({ file, from: 0, to: Math.min((await file.stat()).size, PIECE_BYTES) });
    next = number + 1;
  }
  return parts;
}

async function partsOf(path: string): Promise<Part[]> {
  const file = await regular(path);
  if (file === null) return [];
  const { size } = await file.stat();
  const leftOut = size - 2 * FILE_PART_BYTES;
  if (leftOut <= 0) return [{ file, from: 0, to: size }];
  return [{ file, from: 0, to: FILE_PART_BYTES }, { leftOut }, { file, from: size - FILE_PART_BYTES, to: size }];
}

/** Null: there is none, or what is there is a link, a pipe or a device. */
async function regular(path: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => null);
  if (file === null || (await file.stat()).isFile()) return file;
  await file.close();
  return null;
}

/** Nothing when nothing was written. */
async function write(into: string, name: string, parts: readonly Part[]): Promise<void> {
  try {
    if (!parts.some((part) => 'file' in part && part.to > part.from)) return;
    await mkdir(into, { recursive: true });
    await pipeline(bytesOf(parts), createWriteStream(join(into, name)));
  } finally {
    const open = new Set(parts.flatMap((part) => ('file' in part ? [part.file] : [])));
    await Promise.all([...open].map((file) => file.close()));
  }
}

async function* bytesOf(parts: readonly Part[]): AsyncGenerator<Uint8Array | string> {
  const AT_ONCE = 65_536;
  for (const part of parts) {
    if ('leftOut' in part) {
      yield `\n[${part.leftOut} bytes are left out here]\n`;
      continue;
    }
    for (let at = part.from; at < part.to;) {
      const some = new Uint8Array(Math.min(AT_ONCE, part.to - at));
      const { bytesRead } = await part.file.read(some, 0, some.length, at);
      if (bytesRead === 0) break;
      yield some.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
}
