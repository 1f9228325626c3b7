// Short forms of `npm run soak` and `npm run storm`: whichever process is killed, whenever, nothing is left of it and no run is lost.
import { expect, it } from 'vitest';
import { oneShot } from '#bridge/one-shot';
import { quicHelper } from '#bridge/quic';
import { soak } from './testing/soak/soak.ts';
import { storm } from './testing/soak/storm.ts';

const KILLS = 10;

it(
  'leaves nothing behind, whichever process is killed',
  async () => {
    const tun = await oneShot('paceline-tun', ['--check']).then(
      () => true,
      () => false,
    );
    const kills = await soak({ repetitions: KILLS, seed: 7, tun, quic: quicHelper().path !== null });
    expect(kills).toHaveLength(KILLS);
    expect(kills.filter(({ faults }) => faults.length > 0)).toEqual([]);
  },
  // Servers and command lines start anew many times, beside the other tests.
  KILLS * 30_000,
);

it(
  'ends every run done, and the same byte for byte, whatever is killed meanwhile',
  async () => {
    const { runs, kills, faults } = await storm({ seed: 3, virtualTens: 1, realtime: 1, kills: 12, duration_s: 60 });
    expect(faults).toEqual([]);
    expect(runs).toBe(11);
    expect(kills.server + kills.native).toBeGreaterThan(0);
  },
  10 * 60_000,
);
