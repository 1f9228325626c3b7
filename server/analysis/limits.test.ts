import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bufferLabel, limitUnits, resolveLimit } from '#analysis/limits';

describe('queue limits', () => {
  test('1 BDP of 12 Mbps and 40 ms is 40 packets', () => {
    // 12 Mbps = 1000 packets of 1500 B a second; 40 ms of it = 40 packets = 60 000 B.
    expect(limitUnits({ bdp: 1 }, 12, 40)).toEqual({
      bdp_bytes: 60_000,
      limit_bytes: 60_000,
      limit_packets: 40,
      limit_ms: 40,
      limit_bdp: 1,
    });
  });

  test('1 BDP of the link’s own delay is half of one of the base RTT, which goes both ways', () => {
    expect(limitUnits({ bdp: 1, delay: 'link' }, 12, 40)).toEqual({
      bdp_bytes: 60_000,
      limit_bytes: 30_000,
      limit_packets: 20,
      limit_ms: 20,
      limit_bdp: 0.5,
    });
    expect(resolveLimit({ bdp: 2, delay: 'link' }, 12, 40)).toEqual(resolveLimit({ bdp: 1 }, 12, 40));
    expect([bufferLabel({ bdp: 1, delay: 'link' }), bufferLabel({ bdp: 1 })]).toEqual(['1 BDP (link)', '1 BDP']);
    expect(resolveLimit({ bdp: 1, delay: 'link' }, 1, 20).raised).toBe(true);
  });

  test('milliseconds count at the mean capacity', () => {
    expect(resolveLimit({ ms: 100 }, 12, 40)).toEqual({ bytes: 150_000, packets: null, raised: false });
  });

  test('a derived limit holds at least two packets; a limit given in packets or bytes is taken as it is', () => {
    expect(resolveLimit({ bdp: 1 }, 0.5, 20)).toEqual({ bytes: 3000, packets: null, raised: true });
    expect(resolveLimit({ ms: 1 }, 0.5, 20)).toEqual({ bytes: 3000, packets: null, raised: true });
    expect(resolveLimit({ packets: 1 }, 0.5, 20)).toEqual({ bytes: 1500, packets: 1, raised: false });
    expect(resolveLimit({ bytes: 2000 }, 0.5, 20)).toEqual({ bytes: 2000, packets: null, raised: false });
  });

  test('infinite is null in every unit', () => {
    expect(limitUnits({ infinite: true }, 12, 40)).toEqual({
      bdp_bytes: 60_000,
      limit_bytes: null,
      limit_packets: null,
      limit_ms: null,
      limit_bdp: null,
    });
    expect(bufferLabel({ infinite: true })).toBe('∞');
  });

  test('without propagation delay there is no BDP to count in', () => {
    expect(limitUnits({ packets: 10 }, 12, 0)).toMatchObject({ bdp_bytes: 0, limit_bdp: null, limit_ms: 10 });
  });

  test('units agree with each other', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.double({ min: 1, max: 5000, noNaN: true }),
        fc.double({ min: 1, max: 500, noNaN: true }),
        (bdp, mbps, rtt) => {
          const units = limitUnits({ bdp }, mbps, rtt);
          const bytes = units.limit_bytes ?? 0;
          expect(Number.isInteger(bytes)).toBe(true);
          expect(bytes).toBeGreaterThanOrEqual(3000);
          expect(((units.limit_packets ?? 0) * 1500) / bytes).toBeCloseTo(1, 9);
          expect(((units.limit_ms ?? 0) * mbps * 1e3) / 8 / bytes).toBeCloseTo(1, 9);
          expect(((units.limit_bdp ?? 0) * units.bdp_bytes) / bytes).toBeCloseTo(1, 9);
        },
      ),
    );
  });
});
