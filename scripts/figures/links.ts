import { fileURLToPath } from 'node:url';
import { importTrace } from '#bridge/traces';
import type { LinkSpec } from '#protocol/manifest';

/** The two links over which every algorithm is shown, the same for all so that their figures can be laid beside each other. */
interface Shown {
  readonly title: string;
  /** In traces/. */
  readonly file: string;
  readonly duration_s: number;
}

const SHOWN: readonly Shown[] = [
  { title: 'A step from 12 to 48 Mbps and back', file: 'step-12-to-48mbps.trace', duration_s: 30 },
  { title: '5G: 1 Gbps, a second behind a building, and back', file: 'drop-1gbps-to-nothing.trace', duration_s: 15 },
];

export const BASE_RTT_MS = 40;
export const QUEUE_BDP = 2;

export interface FigureLink {
  readonly title: string;
  readonly duration_s: number;
  readonly forward: LinkSpec;
  readonly reverse: LinkSpec;
}

/** Imports the traces into a folder from which runs can read them. */
export async function figureLinks(tracesDir: string): Promise<FigureLink[]> {
  const delay_ms = BASE_RTT_MS / 2;
  return Promise.all(
    SHOWN.map(async ({ title, file, duration_s }) => {
      const path = fileURLToPath(new URL(`../../traces/${file}`, import.meta.url));
      const { info } = await importTrace(path, tracesDir);
      const limit_bytes = Math.round((QUEUE_BDP * info.mean_mbps * 1e3 * BASE_RTT_MS) / 8);
      return {
        title,
        duration_s,
        forward: {
          loss: 0,
          queue: { id: 'droptail', limit_bytes, limit_packets: null, params: {} },
          capacity: { kind: 'trace', sha256: info.sha256, name: file, offset_ms: 0 },
          delay_ms,
        },
        reverse: {
          loss: 0,
          queue: { id: 'infinite', limit_bytes: null, limit_packets: null, params: {} },
          capacity: { kind: 'unlimited' },
          delay_ms,
        },
      } satisfies FigureLink;
    }),
  );
}
