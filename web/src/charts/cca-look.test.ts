import { describe, expect, it } from 'vitest';
import { MARKERS } from '#protocol/cca';
import { identity, occurrences } from '#analysis/cca-look';
import { markerPath } from '#analysis/markers';
import { THEME } from './testing';

const cca = (slot: number, hollow: boolean) => ({ identity: { slot, marker: MARKERS[slot] ?? 'circle', hollow } });

describe('the identity of a CCA', () => {
  it('keeps hue and marker of an algorithm for its twin in the kernel, and tells the two apart by colour as well', () => {
    for (let slot = 0; slot < 8; slot++) {
      const ours = identity(cca(slot, false), THEME);
      const twin = identity({ ...cca(slot, true), kind: 'kernel' }, THEME);
      expect(twin.marker).toBe(ours.marker);
      expect(twin.colour).not.toBe(ours.colour);
      expect([twin.hollow, twin.dash.length > 0]).toEqual([true, true]);
    }
  });

  it('tells apart our code and another’s over QUIC, and both from ours, the kernel’s and external programs', () => {
    for (let slot = 0; slot < 8; slot++) {
      const looks = [
        identity(cca(slot, false), THEME),
        identity({ ...cca(slot, true), kind: 'kernel' }, THEME),
        identity({ ...cca(slot, false), kind: 'quic' }, THEME),
        identity({ ...cca(slot, true), kind: 'quic' }, THEME),
        identity({ ...cca(slot, true), kind: 'external' }, THEME),
      ];
      expect(new Set(looks.map(({ colour, hollow }) => `${colour} ${hollow}`)).size).toBe(5);
      expect(new Set(looks.map(({ marker }) => marker)).size).toBe(1);
    }
  });

  it('takes colour, marker and dash from the descriptor alone', () => {
    const look = identity(cca(3, true), THEME);
    expect(look).toMatchObject({ colour: THEME.slots[3], marker: MARKERS[3], hollow: true });
    expect(look.dash.length).toBeGreaterThan(0);
    expect(identity(cca(3, false), THEME).dash).toEqual([]);
  });

  it('gives sixteen flows of one CCA sixteen looks', () => {
    for (const slot of [0, 2])
      for (const hollow of [false, true]) {
        const looks = Array.from({ length: 16 }, (_, nth) => identity(cca(slot, hollow), THEME, nth));
        expect(new Set(looks.map(({ colour, dash }) => `${colour} ${dash.join(',')}`)).size).toBe(16);
      }
  });

  it('counts flows of the same CCA', () => {
    expect(occurrences(['a', 'b', 'a', 'a', 'b'])).toEqual([0, 0, 1, 2, 1]);
  });
});

/** Area of a closed polygon by the shoelace formula. */
function areaOf(path: string): number {
  const points = [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map((m) => [Number(m[1]), Number(m[2])] as const);
  return (
    Math.abs(
      points.reduce(
        (sum, [x, y], i) => sum + x * points[(i + 1) % points.length]![1] - points[(i + 1) % points.length]![0] * y,
        0,
      ),
    ) / 2
  );
}

describe('markers', () => {
  it.each(MARKERS.filter((marker) => marker !== 'circle'))('%s has the area of a circle of its size', (marker) => {
    expect(areaOf(markerPath(marker, 10)) / (Math.PI * 100)).toBeCloseTo(1, 2);
  });
});
