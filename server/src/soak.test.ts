// Short forms of `npm run soak` and `npm run chaos`: whichever process is killed, whenever, nothing is left of it and no run is lost.
import { expect, it } from 'vitest';
import { oneShot } from '#bridge/one-shot';
import { quicHelper } from '#bridge/quic';
import { soak } from './testing/soak/soak.ts';
import { withoutRedis } from './testing/redis.ts';
import { storm } from './testing/soak/storm.ts';

const KILLS = 10;

const hasTun = (): Promise<boolean> =>
  oneShot('paceline-tun', ['--check']).then(
    () => true,
    () => false,
  );

it(
  'leaves nothing behind, whichever process is killed',
  async () => {
    const kills = await soak({ repetitions: KILLS, seed: 7, tun: await hasTun(), quic: quicHelper().path !== null });
    expect(kills).toHaveLength(KILLS);
    expect(kills.filter(({ faults }) => faults.length > 0)).toEqual([]);
  },
  // Servers and command lines start anew many times, beside the other tests.
  KILLS * 30_000,
);

it(
  'ends every run done, and the same byte for byte, whatever is killed meanwhile',
  async () => {
    const tun = (await hasTun()) ? 1 : 0;
    const some = { seed: 3, virtualTens: 1, duration_s: 60 };
    const { runs, kills, faults } = await storm({ ...some, realtime: 1, tun, kills: 12 });
    expect(faults).toEqual([]);
    expect(runs).toBe(11 + tun);
    expect(kills.server + kills.native).toBeGreaterThan(0);
  },
  10 * 60_000,
);

it(
  'and so does one whose disk fails at random',
  async () => {
    const { runs, refused, faults } = await storm({
      ...{ seed: 4, virtualTens: 2, realtime: 0, kills: 4, duration_s: 120, disk: 3 },
    });
    expect(faults).toEqual([]);
    expect(runs).toBe(20);
    expect(refused).toBeGreaterThan(0);
  },
  10 * 60_000,
);

it(
  'and so does one whose workers and Redis are killed, too',
  async ({ skip }) => {
    if (withoutRedis !== null) return skip(withoutRedis);
    const { runs, kills, faults } = await storm({
      ...{ seed: 5, virtualTens: 2, realtime: 1, kills: 10, duration_s: 60, workers: 2 },
    });
    expect(faults).toEqual([]);
    expect(runs).toBe(21);
    expect(kills.worker + kills.redis).toBeGreaterThan(0);
  },
  10 * 60_000,
);
