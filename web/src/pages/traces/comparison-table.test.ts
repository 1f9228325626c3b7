import { describe, expect, it } from 'vitest';
import { UNIT_SPACE } from '../../ui/format';
import { dynamicsFixture, traceFixture } from '../../gallery/trace-fixture';
import { COMPARISON, comparedCells, type ComparedFigures } from './comparison-table';

const rows: ComparedFigures[] = [18, 604, 2.1].map((mbps, i) => ({
  trace: traceFixture(`t${i}`, mbps, i + 1),
  dynamics: i === 2 ? null : dynamicsFixture(mbps),
}));
const column = (title: string) => {
  const found = COMPARISON.find((one) => one.title.replaceAll(UNIT_SPACE, ' ') === title);
  if (found === undefined) throw new Error(title);
  return found;
};

describe('traces beside one another', () => {
  it('name the best and the worst by what a sender would rather have', () => {
    expect(comparedCells(column('Mean'), rows).map(({ rank }) => rank)).toEqual([null, 'best', 'worst']);
    expect(comparedCells(column('± over 1 s'), rows).map(({ rank }) => rank)).toEqual([null, 'worst', 'best']);
  });

  it('are written with digits that are worth comparing, whatever the least of them is', () => {
    const gaps = [0.000556, 31, 4.567].map((longest_gap_ms, i) => {
      const trace = traceFixture(`t${i}`, 10, i + 1);
      return { trace: { ...trace, info: { ...trace.info, longest_gap_ms } }, dynamics: null };
    });
    expect(comparedCells(column('Longest gap'), gaps)).toEqual([
      { text: '<0.01', rank: 'best' },
      { text: '31.0', rank: 'worst' },
      { text: '4.57', rank: null },
    ]);
  });

  it('leave out what is not known, and what is the same or neither', () => {
    expect(comparedCells(column('Coherence time'), rows)).toEqual([
      { text: '1.50', rank: null },
      { text: '1.50', rank: null },
      { text: '–', rank: null },
    ]);
    expect(comparedCells(column('Largest fall in 3 s'), rows).map(({ rank }) => rank)).toEqual(['best', 'worst', null]);
    expect(comparedCells(column('Length'), rows).map(({ rank }) => rank)).toEqual([null, null, null]);
    expect(comparedCells(column('Mean'), rows.slice(0, 1))[0]?.rank).toBeNull();
  });
});
