import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tableOf } from '#analysis/table';
import { resultsOf } from '#analysis/results';
import { experimentOf, LISTING } from '#analysis/testing';
import { ResultTable } from './ResultTable';

/** A page has room for rows; jsdom has none. */
beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(640);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(31);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1000);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function show(cells: number, more: Partial<Parameters<typeof ResultTable>[0]> = {}): HTMLElement {
  const record = experimentOf(
    Array.from({ length: cells }, (_, i) => ({
      cca: i % 2 === 0 ? 'base' : 'rival',
      buffer: { bytes: 3000 + i },
      utilisation: 0.5 + i / 1000,
      queueing_ms: 1 + i,
    })),
  );
  const rows = tableOf(resultsOf(record, LISTING.ccas));
  const nothing = () => undefined;
  const { container } = render(
    <ResultTable
      rows={rows}
      sort=""
      onSort={nothing}
      full={false}
      find=""
      onFind={nothing}
      without={[]}
      onWithout={nothing}
      selected={new Set()}
      onSelect={nothing}
      {...more}
    />,
  );
  return container;
}

describe('the table of results', () => {
  it('has only the rows in sight when there are many, and says how many there are', () => {
    const container = show(200);
    const table = screen.getByRole('table');
    expect(table.getAttribute('aria-rowcount')).toBe('201');
    const rows = container.querySelectorAll('tbody tr[aria-rowindex]');
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.length).toBeLessThan(100);
    expect([...rows].map((row) => Number(row.getAttribute('aria-rowindex')))).toEqual(
      Array.from(rows, (_, i) => i + 2),
    );
    expect(container.querySelectorAll('*').length).toBeLessThan(3000);
  });

  it('has all of its rows when they are few', () => {
    expect(show(40).querySelectorAll('tbody tr')).toHaveLength(40);
  });

  it('shows the rows that have every word, and says of how many', () => {
    const container = show(40, { find: 'RIVAL 300' });
    expect(container.querySelectorAll('tbody tr')).toHaveLength(5);
    expect(screen.getByText('5 of 40 rows')).toBeTruthy();
  });

  it('leaves out columns that are not wanted, and names the unit in the head', () => {
    show(5, { without: ['loss'] });
    expect(screen.queryByRole('columnheader', { name: /^Loss/ })).toBeNull();
    expect(screen.getByRole('columnheader', { name: 'Util., %' })).toBeTruthy();
    expect(screen.getByRole('columnheader', { name: 'Queueing, ms' })).toBeTruthy();
  });
});
