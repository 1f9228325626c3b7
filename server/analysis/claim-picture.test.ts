import { describe, expect, test } from 'vitest';
import { claimPicture } from '#analysis/claim-picture';
import type { ClaimPoint } from '#protocol/study';

const point = (key: string, paper: number, ours: number | null): ClaimPoint => ({
  key,
  paper: { text: String(paper), from: paper, to: paper },
  accepted: { from: paper - 5, to: paper + 5 },
  ours:
    ours === null
      ? null
      : { text: String(ours), value: ours, low: ours - 1, high: ours + 1, n: 3, over: 'repetitions' },
  inside: ours === null ? null : Math.abs(ours - paper) <= 5,
});
const picture = (points: ClaimPoint[], width = 600) =>
  claimPicture({ outcome: { verdict: 'holds', text: '', misfit: 0, points } }, width);

describe('the picture of a claim', () => {
  test('has the paper’s number within what is accepted, and ours where it is', () => {
    const [row] = picture([point('a', 50, 53)])?.rows ?? [];
    if (!row?.accepted || !row.printed || !row.measured) throw new Error('all are drawn');
    const { accepted, printed, measured } = row;
    expect(printed.from).toBe(printed.to);
    expect(accepted.from).toBeLessThan(printed.from);
    expect(accepted.to).toBeGreaterThan(measured.x);
    // Linear: 3 of 5 from the paper's number to the edge.
    expect((measured.x - printed.from) / (accepted.to - printed.from)).toBeCloseTo(0.6, 9);
    expect(measured.low).toBeLessThan(measured.x);
  });

  test('everything lies between the keys and the numbers', () => {
    const made = picture([point('a', 1, 400), point('a longer name than the others', 90, 2), point('c', 40, null)]);
    for (const { measured, accepted, printed } of made?.rows ?? [])
      for (const x of [measured?.x, measured?.low, measured?.high, accepted?.from, accepted?.to, printed?.from])
        if (typeof x === 'number') {
          expect(x).toBeGreaterThanOrEqual(made?.left ?? Infinity);
          expect(x).toBeLessThanOrEqual(made?.right ?? -Infinity);
        }
    expect(made?.rows[2]).toMatchObject({ ours: '–', measured: null, inside: null });
  });

  test('names have no axis, and are shortened to their room', () => {
    const names: ClaimPoint = {
      key: 'City drive, 5G',
      paper: { text: 'cubic, newreno', from: null, to: null },
      accepted: null,
      ours: { text: 'a long list, of, many, algorithms', value: 1, low: null, high: null, n: 1, over: null },
      inside: false,
    };
    const [wide, narrow] = [picture([names], 700), picture([names], 340)];
    expect(wide).toMatchObject({ ticks: [], rows: [{ paper: 'cubic, newreno', ours: names.ours?.text }] });
    expect(narrow?.rows[0]?.ours).toMatch(/…$/);
  });

  test('of nothing there is none', () => {
    expect(picture([])).toBe(null);
  });
});
