import { expect, it } from 'vitest';
import { lengthS, totalBytes } from '#analysis/packet-trace';

it('says how much was recorded, and for how long', () => {
  const packets = { times_ms: [0, 0.25, 1500], bytes: [1500, 60, 400] };
  expect(totalBytes(packets)).toBe(1960);
  expect(lengthS(packets)).toBe(1.5);
});
