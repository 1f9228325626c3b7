// A short form of `npm run soak`: whichever process of a run is killed, whenever, nothing is left of it.
import { expect, it } from 'vitest';
import { oneShot } from '#bridge/one-shot';
import { quicHelper } from '#bridge/quic';
import { soak } from './testing/soak/soak.ts';

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
