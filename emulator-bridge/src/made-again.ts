// A run in virtual time made once more, with somebody watching: it is a pure function of its manifest, so it is the same run.
import { z } from 'zod';
import { figuresOf, SummaryPart } from '#protocol/control';
import type { RunManifest } from '#protocol/manifest';
import { PACKET_LIMITS, PacketWindow, QueueByFlow } from '#protocol/packets';
import type { RunSummary } from '#protocol/summary';
import { oneShot, ProgramFailed } from './one-shot.ts';

const PROGRAM = 'paceline-simulate';

export interface WatchOptions {
  /** Holds `<sha256>.trace` for every trace that the manifest names. */
  readonly tracesDir: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface MadeAgain<T> {
  /** What it came to this time. */
  readonly summary: RunSummary;
  readonly told: T;
}

/** Packets and acknowledgements that are under way at some time from `from_s` to `to_s`. Throws ProgramFailed. */
export const watchPackets = (
  manifest: RunManifest,
  {
    from_s,
    to_s,
    most = PACKET_LIMITS.packets,
  }: { readonly from_s: number; readonly to_s: number; readonly most?: number },
  options: WatchOptions,
): Promise<MadeAgain<PacketWindow>> =>
  watched(
    manifest,
    'packets',
    PacketWindow.extend({ type: z.literal('packets') }),
    ['--packets-from-us', micros(from_s), '--packets-to-us', micros(to_s), '--most-packets', String(most)],
    options,
  );

/** Whose packets fill the queue, over the whole run. Throws ProgramFailed. */
export const watchQueue = (
  manifest: RunManifest,
  { period_ms }: { readonly period_ms: number },
  options: WatchOptions,
): Promise<MadeAgain<QueueByFlow>> =>
  watched(
    manifest,
    'queue_by_flow',
    QueueByFlow.extend({ type: z.literal('queue_by_flow') }),
    ['--queue-by-flow-ms', String(period_ms)],
    options,
  );

const micros = (seconds: number): string => String(Math.round(seconds * 1e6));

const Typed = z.looseObject({ type: z.string() });

async function watched<T extends { readonly type: string }>(
  manifest: RunManifest,
  wanted: T['type'],
  schema: z.ZodType<T>,
  words: readonly string[],
  { tracesDir, ...limits }: WatchOptions,
): Promise<MadeAgain<Omit<T, 'type'>>> {
  const always = ['--manifest', '-', '--traces', tracesDir, '--format', 'ndjson', '--without-samples'];
  const { code, stdout, stderr } = await oneShot(PROGRAM, [...always, ...words], {
    ...limits,
    input: JSON.stringify(manifest),
  });
  if (code !== 0) throw new ProgramFailed(stderr.trim());
  let summary: RunSummary | null = null;
  let told: Omit<T, 'type'> | null = null;
  for (const line of stdout.split('\n')) {
    if (line === '') continue;
    const message: unknown = JSON.parse(line);
    const { type } = Typed.parse(message);
    if (type === 'summary') summary = figuresOf(SummaryPart.parse(message));
    if (type !== wanted) continue;
    const { type: _, ...rest } = schema.parse(message);
    told = rest;
  }
  if (summary === null || told === null) throw new ProgramFailed(`${PROGRAM} ended without saying what it was asked`);
  return { summary, told };
}
