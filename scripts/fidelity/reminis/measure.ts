import { METRICS } from '#analysis/metrics';
import { importTrace } from '#bridge/traces';
import { recording } from '../../lib/recordings.mjs';
import { asWritten } from '../bench.ts';
import type { Lanes } from '../lanes.ts';
import { mean, PACKET_BYTES, runOverLink } from '../link-run.ts';
import { RECORDINGS_OF_5G } from '../orderings.ts';
import type { Look, Measured, Setting } from './claims.ts';
import type { Reading } from './readings.ts';

/** The paper's are not published; those of Lumos5G, on which it builds, are shipped, the others are used where they are there. */
const FILES: Readonly<Record<Setting['kind'], readonly string[]>> = {
  '5G': RECORDINGS_OF_5G,
  '3G and 4G': [
    '3g-hspa-citydrive.down.gz',
    'lte-taxi-nyc.down.gz',
    'lte-walk-nyc-3199718.down.gz',
    'lte-drive-att.down.gz',
  ],
};

interface Trace {
  readonly sha256: string;
  readonly name: string;
  readonly meanMbps: number;
}

export type Traces = Readonly<Record<Setting['kind'], readonly Trace[]>>;

export async function importTraces(dir: string): Promise<Traces> {
  const all = async (files: readonly string[]): Promise<Trace[]> =>
    Promise.all(
      files.flatMap((name) => {
        const path = recording(name);
        if (path === undefined) return [];
        return [importTrace(path, dir).then(({ info }) => ({ sha256: info.sha256, name, meanMbps: info.mean_mbps }))];
      }),
    );
  return { '5G': await all(FILES['5G']), '3G and 4G': await all(FILES['3G and 4G']) };
}

export interface Measuring {
  readonly traces: Traces;
  readonly dir: string;
  readonly seconds: number;
  readonly seeds: number;
  readonly lanes: Lanes;
}

async function measured(cca: string, params: Reading, setting: Setting, measuring: Measuring): Promise<Measured> {
  const { traces, dir, seconds, seeds, lanes } = measuring;
  const seeded = Array.from({ length: seeds }, (_, i) => i + 1);
  const runs = await Promise.all(
    traces[setting.kind].flatMap(({ sha256, name, meanMbps }) =>
      seeded.map((seed) =>
        lanes.run(() =>
          runOverLink(
            {
              flows: [{ cca, params }],
              capacity: { kind: 'trace', sha256, name, offset_ms: 0 },
              queueBytes:
                'packets' in setting.queue
                  ? setting.queue.packets * PACKET_BYTES
                  : (setting.queue.bdp * meanMbps * 1e3 * setting.rttMs) / 8,
              rttMs: setting.rttMs,
              seconds,
              seed,
              samplePeriodMs: 1000,
              ackEvery: 2,
            },
            asWritten(dir),
          ),
        ),
      ),
    ),
  );
  const over = (of: (run: (typeof runs)[number]) => number | null | undefined): number =>
    mean(runs.map((run) => of(run) ?? NaN));
  return {
    utilisation: 100 * over(({ link }) => link.utilisation),
    mbps: over(({ summary }) => summary.receivers[0]?.throughput_mbps),
    delayMs: over(({ summary }) => METRICS.packet_delay_mean.of(summary)),
    p95Ms: over(({ link }) => setting.rttMs + (link.queueing_delay.p95_ms ?? NaN)),
    queueingMs: over(({ link }) => link.queueing_delay.mean_ms),
    lost: 100 * over(({ summary }) => METRICS.loss.of(summary)),
  };
}

/** Looks that are made once each. */
export function looking(reading: Reading, measuring: Measuring, shared: Map<string, Promise<Measured>>): Look {
  const own = new Map<string, Promise<Measured>>();
  return (cca, { params = {}, ...setting }) => {
    const known = cca === 'reminis' ? own : shared;
    const given = cca === 'reminis' ? { ...reading, ...params } : {};
    const key = JSON.stringify([cca, given, setting]);
    const found = known.get(key) ?? measured(cca, given, setting, measuring);
    known.set(key, found);
    return found;
  };
}
