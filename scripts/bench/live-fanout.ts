import { plainBroadcast, throughHub, type Fanout } from '../../server/bench/fanout.ts';
import type { Bench, Measurement } from './bench.ts';

const VIEWERS = [1, 20, 50];
const SECONDS = 6;
/** What a person sees as live. */
const AIM_LAG_MS = 100;

const ms = (seconds: number): string => `${(seconds * 1000).toFixed(0)} ms`;
const line = (what: string, seen: Fanout): Measurement => ({
  what,
  measured: `lag ${ms(seen.p50_s)} median, ${ms(seen.p99_s)} p99; ${(100 * seen.cpu).toFixed(0)} % of a core; ${seen.frames} frames`,
});

/** A run of 16 flows in real time (33 streams, 100 rows a second each) and its viewers, beside the plain way. */
export const bench: Bench = async () => {
  const rows: Measurement[] = [];
  for (const viewers of VIEWERS) {
    const plain = await plainBroadcast(viewers, SECONDS);
    const hub = await throughHub(viewers, SECONDS);
    rows.push(line(`live, ${viewers} viewers, every frame to everyone`, plain));
    rows.push({
      ...line(`live, ${viewers} viewers, through the hub`, hub),
      aim: {
        text: `p99 lag <= ${AIM_LAG_MS} ms, no row lost or repeated`,
        met: hub.p99_s * 1000 <= AIM_LAG_MS && hub.wrong === 0,
      },
    });
  }
  return rows;
};
