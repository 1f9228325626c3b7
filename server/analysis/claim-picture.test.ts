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

  const compared: ClaimPoint = {
    key: 'cubic',
    paper: { text: 'cubic, newreno', from: null, to: null },
    accepted: null,
    ours: { text: 'a long list, of, many, algorithms', value: 1, low: null, high: null, n: 1, over: null },
    inside: false,
  };

  test('names have no axis, stand below their key where there is no room beside it, and are told whole or counted', () => {
    const [wide, narrow] = [picture([compared], 700), picture([compared, compared], 340)];
    expect(wide).toMatchObject({ ticks: [], rows: [{ paper: 'cubic, newreno', ours: compared.ours?.text }] });
    expect(picture([compared, { ...compared, ours: null, inside: null }])).toMatchObject({
      ticks: [],
      rows: [{}, { ours: '–' }],
    });
    const [first, second] = narrow?.rows ?? [];
    expect(first).toMatchObject({ paper: 'cubic, newreno', ours: 'a long list, of, many +1' });
    expect(wide?.rows[0]?.numbersY).toBe(wide?.rows[0]?.y);
    expect(first?.numbersY).toBeGreaterThan((first?.y ?? Infinity) + 12);
    expect(second?.y).toBeGreaterThan((first?.numbersY ?? Infinity) + 12);
  });

  test('places in an order leave the axis to what is ours', () => {
    const place = (key: string, text: string, value: number): ClaimPoint => ({
      key,
      paper: { text, from: null, to: null },
      accepted: null,
      ours: { text: String(value), value, low: null, high: null, n: 1, over: null },
      inside: null,
    });
    const made = picture([place('cubic', 'least', -12), place('bbr', 'most', -3)]);
    expect(made?.ticks.length).toBeGreaterThan(1);
    expect(made?.rows).toMatchObject([
      { paper: 'least', ours: '-12', printed: null },
      { paper: 'most', ours: '-3', printed: null },
    ]);
    const [least, most] = made?.rows ?? [];
    expect(least?.measured?.x).toBeLessThan(most?.measured?.x ?? Number.NaN);
  });

  test('an algorithm with several parameters is one name', () => {
    const ours = { text: 'Copa (delta 0.1, as QUIC), bbr', value: 1, low: null, high: null, n: 1, over: null };
    expect(picture([{ ...compared, ours }], 340)?.rows[0]?.ours).toMatch(/^Copa \(delta.*… \+1$/);
  });

  test('algorithms are called as everywhere; what is none is left as it is', () => {
    const nameOf = (id: string): string => ({ cubic: 'Cubic', newreno: 'NewReno' })[id] ?? id;
    const rowsOf = (own: ClaimPoint) =>
      claimPicture({ outcome: { verdict: 'holds', text: '', misfit: 0, points: [own] } }, 700, nameOf)?.rows;
    expect(rowsOf(compared)).toMatchObject([{ key: 'Cubic', paper: 'Cubic, NewReno', ours: compared.ours?.text }]);
    expect(rowsOf(point('5 BDP', 1, 2))).toMatchObject([{ key: '5 BDP', paper: '1', ours: '2' }]);
  });

  test('a narrow one has our numbers, and no mark lies on them', () => {
    const narrow = picture([point('a', 50, 53), point('b', 60, 90)], 360);
    expect(narrow?.columns).toEqual({ paper: null, ours: 356 });
    for (const { measured } of narrow?.rows ?? []) expect(measured?.high).toBeLessThan(310);
  });

  test('of nothing there is none', () => {
    expect(picture([])).toBe(null);
  });
});
