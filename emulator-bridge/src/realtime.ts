import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunManifest } from '#protocol/manifest';
import { conduct } from './conduct.ts';
import { failedBy } from './concluded.ts';
import { ProcessGroup } from './group.ts';
import { programPath, type Program } from './programs.ts';
import type { RunOptions, RunOutcome } from './outcome.ts';
import { temporaryFolder } from './temporary.ts';
import { ownVoice, type Voice } from './voice.ts';

/** Samples come at least this often in real time, unless the sampling period itself is longer. */
const HANG_MS = 30_000;
const HANG_PERIODS = 64;

/** One run in real time: the emulator, and a sender and a receiver per flow, all talking UDP on loopback. */
export async function runRealtime(manifest: RunManifest, options: RunOptions): Promise<RunOutcome> {
  try {
    return await withManifestFile(manifest, async (file) => {
      const common = ['--manifest', file, '--traces', options.tracesDir];
      const ends = [...manifest.flows.keys()].flatMap((flow) => [part('receiver', flow), part('sender', flow)]);
      const voices = start([part('emulator', null), ...ends], common);
      return conduct(voices, patienceOf(manifest, options), options);
    });
  } catch (error) {
    return failedBy(error);
  }
}

interface Part {
  readonly role: Voice['role'];
  readonly flow: number;
  readonly program: Program;
  readonly label: string;
  readonly args: readonly string[];
}

function part(role: Voice['role'], flow: number | null): Part {
  const program: Program = `paceline-${role}`;
  if (flow === null) return { role, flow: 0, program, label: program, args: [] };
  return { role, flow, program, label: `${program} of flow ${flow}`, args: ['--flow', String(flow)] };
}

/** All of them or none. */
function start(parts: readonly Part[], common: readonly string[]): readonly Voice[] {
  const started: Voice[] = [];
  try {
    for (const { role, flow, label, program, args } of parts)
      started.push(ownVoice({ role, flow, label }, new ProcessGroup(programPath(program), [...common, ...args])));
    return started;
  } catch (error) {
    for (const { group } of started) void group.stop().catch(() => undefined);
    throw error;
  }
}

/** The manifest as a file, for programs whose stdin has another use; it is gone when `use` is over. */
export async function withManifestFile<T>(manifest: RunManifest, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await temporaryFolder();
  try {
    const file = join(folder, 'manifest.json');
    await writeFile(file, JSON.stringify(manifest));
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How long a program that runs in real time may be silent. */
export const patienceOf = ({ sample_period_ms }: RunManifest, { hangMs }: RunOptions): number =>
  hangMs ?? Math.max(HANG_MS, HANG_PERIODS * sample_period_ms);
