import { readFileSync } from 'node:fs';
import { z } from 'zod';

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
            cca: z.string(),
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
    cells: z.array(z.strictObject({ cca: z.string(), goodput_mbps: z.number(), mean_rtt_ms: z.number() })),
  }),
});

export const kernel = Kernel.parse(JSON.parse(readFileSync(new URL('linux-6.18.json', import.meta.url), 'utf8')));
export type KernelCell = (typeof kernel)['over_traces']['traces'][number]['cells'][number];
