import { readFileSync } from 'node:fs';
import { z } from 'zod';

const cca = z.string();

/** What a Linux kernel did, measured once. */
const Kernel = z.strictObject({
  source: z.string(),
  over_traces: z.strictObject({
    base_rtt_ms: z.number(),
    start_s: z.number(),
    flow_s: z.number(),
    note: z.string(),
    traces: z.array(
      z.strictObject({
        trace: z.string(),
        cells: z.array(
          z.strictObject({
            bdp: z.number(),
            cca,
            util_pct: z.number(),
            mean_ms: z.number(),
            p95_ms: z.number(),
            dropped_pct: z.number(),
          }),
        ),
      }),
    ),
  }),
  constant_link: z.strictObject({
    rate_mbps: z.number(),
    base_rtt_ms: z.number(),
    queue_bytes: z.int(),
    flow_s: z.number(),
    note: z.string(),
    cells: z.array(z.strictObject({ cca, goodput_mbps: z.number(), mean_rtt_ms: z.number() })),
  }),
});

/** The same cells measured again, several times: what one run of the kernel is worth. */
const Repeats = z.strictObject({
  source: z.string(),
  causes: z.array(z.string()),
  traces: z.array(
    z.strictObject({
      trace: z.string(),
      cells: z.array(
        z.strictObject({ bdp: z.number(), cca, util_pct: z.array(z.number()), mean_ms: z.array(z.number()) }),
      ),
    }),
  ),
});

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

export const kernel = Kernel.parse(read('linux-6.18.json'));
export const repeats = Repeats.parse(read('linux-6.18-repeats.json'));

export type KernelCell = (typeof kernel)['over_traces']['traces'][number]['cells'][number];

/** A run reduced to what is compared. */
export interface Outcome {
  readonly utilisation: number;
  readonly meanMs: number;
}

export function repeatsOf(trace: string, { bdp, cca: id }: KernelCell): readonly Outcome[] {
  const cell = repeats.traces.find((t) => t.trace === trace)?.cells.find((c) => c.bdp === bdp && c.cca === id);
  return (cell?.util_pct ?? []).map((utilisation, i) => ({ utilisation, meanMs: cell?.mean_ms[i] ?? NaN }));
}
