import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importTrace } from '#bridge/traces';
import type { LinkSpec } from '#protocol/manifest';

/** The two links over which every algorithm is shown, the same for all so that their figures can be laid beside each other. */
interface Shown {
  /** Of the shipped library. */
  readonly name: string;
  readonly title: string;
  readonly duration_s: number;
}

const SHOWN: readonly Shown[] = [
  { name: 'Step between 12 and 48 Mbps', title: 'A step from 12 to 48 Mbps and back', duration_s: 30 },
  { name: 'City drive, 5G', title: '5G from a car in a city', duration_s: 30 },
];

export const BASE_RTT_MS = 40;
export const QUEUE_BDP = 2;

export interface FigureLink {
  readonly title: string;
  readonly duration_s: number;
  readonly forward: LinkSpec;
  readonly reverse: LinkSpec;
}

/** What the setup has made of the recipes. */
const MADE = fileURLToPath(new URL('../../traces/made/', import.meta.url));

/** Imports the traces into a folder from which runs can read them. */
export async function figureLinks(tracesDir: string): Promise<FigureLink[]> {
  const delay_ms = BASE_RTT_MS / 2;
  const library = JSON.parse(readFileSync(`${MADE}library.json`, 'utf8')) as { name: string; file: string }[];
  return Promise.all(
    SHOWN.map(async ({ name, title, duration_s }) => {
      const made = library.find((trace) => trace.name === name);
      if (made === undefined) throw new Error(`the shipped traces have no ${name}`);
      const { info } = await importTrace(MADE + made.file, tracesDir);
      const limit_bytes = Math.round((QUEUE_BDP * info.mean_mbps * 1e3 * BASE_RTT_MS) / 8);
      return {
        title,
        duration_s,
        forward: {
          loss: 0,
          queue: { id: 'droptail', limit_bytes, limit_packets: null, params: {} },
          capacity: { kind: 'trace', sha256: info.sha256, name, offset_ms: 0 },
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
