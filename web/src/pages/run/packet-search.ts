// Which packets are shown, where the picture stands and how fast it goes: all in the address.
import { z } from 'zod';
import { baseRttMs } from '#protocol/base-rtt';
import type { RunRecord } from '#protocol/api';
import { oneOf, optionalNumber, rangeText } from '../../ui/search';

/** Seconds of the link per second. */
export const SLOWNESS = [
  '0.0001',
  '0.0002',
  '0.0005',
  '0.001',
  '0.002',
  '0.005',
  '0.01',
  '0.02',
  '0.05',
  '0.1',
  '0.2',
  '0.5',
  '1',
] as const;
export type Slowness = (typeof SLOWNESS)[number];
const chosen = oneOf(['', ...SLOWNESS]);

export const PACKET_SEARCH = {
  /** The window, seconds since the run began; nothing: no packets are shown. */
  packets: { codec: rangeText, initial: null as [number, number] | null },
  /** Where the picture stands, seconds; nothing: at the beginning of the window. */
  moment: { codec: optionalNumber.pipe(z.number().min(0).nullable()), initial: null as number | null },
  /** Nothing: what makes a round trip readable. */
  slow: { codec: chosen, initial: '' as Slowness | '' },
};
export type PacketSearch = typeof PACKET_SEARCH;

/** A round trip on the screen takes about so long, seconds. */
const ROUND_TRIP_S = 2;

export function readable(manifest: RunRecord['manifest']): Slowness {
  const wanted = Math.max(baseRttMs(manifest), 0.2) / 1000 / ROUND_TRIP_S;
  return SLOWNESS.findLast((speed) => Number(speed) <= wanted) ?? SLOWNESS[0];
}

/** Packets that make a window worth a look, and more than anybody follows. */
const WORTH = 1500;
const TOO_MANY = 20_000;
const LONGEST_S = 600;

/** As exact as an address says it. */
const round = (time: number): number => Math.round(time * 1e4) / 1e4;

/** What is in sight, if its packets can be followed; else so much from its beginning, or from where the replay stands. */
export function windowFor(
  run: Pick<RunRecord, 'manifest' | 'summary'>,
  [from, to]: readonly [number, number],
  at: number | null,
): [number, number] {
  const { duration_s } = run.manifest;
  const sent = (run.summary?.senders ?? []).reduce((sum, { sent_packets }) => sum + sent_packets, 0);
  const perSecond = Math.max(sent / duration_s, 1);
  const inSight = (to - from) * perSecond;
  if (at === null && to - from < 0.9 * duration_s && inSight <= TOO_MANY && to - from <= LONGEST_S)
    return [round(from), round(to)];
  const length = Math.min(WORTH / perSecond, duration_s, LONGEST_S);
  const begin = Math.min(at ?? from, Math.max(duration_s - length, 0));
  return [round(begin), round(begin + length)];
}

/** The window before it or behind it, of the same length, within the run. */
export function shifted(
  [from, to]: readonly [number, number],
  direction: -1 | 1,
  duration_s: number,
): [number, number] {
  const length = to - from;
  const begin = Math.min(Math.max(from + direction * length, 0), Math.max(duration_s - length, 0));
  return [round(begin), round(begin + length)];
}
