// The help of every command, as it prints it itself.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programPath, type Program } from '#bridge/programs';
import type { Command, Commands } from './commands.ts';

/** What a native program answers for is written by it past this process's own output. */
const NATIVE: Readonly<Record<string, Program>> = { shell: 'paceline-shell' };
/** Its helper may be missing, and what it takes is its own. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  quic: 'Usage: paceline quic server|client [options]\n\nOne end of a real QUIC connection: docs/quic.md.\n',
};

async function printed(command: Command): Promise<string> {
  const write = process.stdout.write.bind(process.stdout);
  const parts: string[] = [];
  process.stdout.write = (part: string | Uint8Array): boolean => parts.push(String(part)) > 0;
  try {
    await command(['--help']);
  } finally {
    process.stdout.write = write;
  }
  return parts.join('');
}

/** One after the other: they all print to the same place. */
export async function helpTexts(commands: Commands): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [name, load] of commands) {
    const native = NATIVE[name];
    const text =
      ELSEWHERE[name] ??
      (native === undefined
        ? await printed(await load())
        : (await promisify(execFile)(programPath(native), ['--help'])).stdout);
    texts.set(name, text);
  }
  return texts;
}
