import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WINDOWS_K } from '#analysis/fairness';
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
      group="none"
      onGroup={nothing}
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

  it('says beside Jain’s index on how many of the ten windows it stands, where some are missing', () => {
    const pair = (cca: string, ks: readonly number[]) => ({
      cca,
      role: 'self_pair' as const,
      ccas: [cca, cca],
      utilisation: 1,
      queueing_ms: 1,
      fairness: ks.map((k) => [k, 0.9] as const),
    });
    const record = experimentOf([
      pair('base', WINDOWS_K),
      pair(
        'rival',
        WINDOWS_K.filter((k) => k < 3000),
      ),
    ]);
    show(0, { rows: tableOf(resultsOf(record, LISTING.ccas)), full: true });
    expect(screen.getAllByText('9/10').map((note) => note.title)).toEqual([
      expect.stringContaining('Without the window of 3000 base RTTs'),
    ]);
    expect(screen.getByText(/so many of the ten windows/)).toBeTruthy();
  });

  it('groups rows, with the count and the means over the cells of each group, and nothing where a mean says nothing', () => {
    const container = show(6, { group: 'cca' });
    const rows = [...container.querySelectorAll('tbody tr')];
    expect(rows.map((row) => row.getAttribute('aria-rowindex'))).toEqual(['2', '3', '4', '5', '6', '7', '8', '9']);
    const heads = screen.getAllByRole('button', { expanded: true });
    expect(heads.map((head) => head.textContent)).toEqual(['BASE 3 cells', 'RIVAL 3 cells']);
    // Queueing of 1, 3 and 5 ms, and of 2, 4 and 6.
    const means = heads.map((head) => [...(head.closest('tr')?.cells ?? [])].map((cell) => cell.textContent.trim()));
    expect(means.map(([, limit, , queueing]) => [limit, queueing])).toEqual([
      ['', expect.stringMatching(/^3\.00/)],
      ['', expect.stringMatching(/^4\.00/)],
    ]);
    expect(means.map((cells) => cells.at(-1))).toEqual(['3', '3']);
    expect(screen.getAllByRole('rowheader')).toHaveLength(8);
    expect(screen.getByText(/means over its cells.*Files are not grouped/)).toBeTruthy();
  });

  it('sorts groups by their means and rows within them, and closes a group by its button', () => {
    const container = show(6, { group: 'cca', sort: '-queueing_mean' });
    const names = (): string[] =>
      [...container.querySelectorAll('tbody th button')].map(
        (button) => button.getAttribute('aria-label') ?? button.textContent,
      );
    expect(names()).toEqual([
      'RIVAL 3 cells',
      'Select RIVAL, 3005 B',
      'Select RIVAL, 3003 B',
      'Select RIVAL, 3001 B',
      'BASE 3 cells',
      'Select BASE, 3004 B',
      'Select BASE, 3002 B',
      'Select BASE, 3000 B',
    ]);
    const rival = screen.getByRole('button', { name: 'RIVAL 3 cells' });
    fireEvent.click(rival);
    expect(rival.getAttribute('aria-expanded')).toBe('false');
    expect(names()).toHaveLength(5);
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('6');
    fireEvent.click(screen.getByRole('button', { name: 'Close all' }));
    expect(names()).toEqual(['RIVAL 3 cells', 'BASE 3 cells']);
    fireEvent.click(screen.getByRole('button', { name: 'Open all' }));
    expect(names()).toHaveLength(8);
  });

  it('has few of many grouped rows in the page, each at its place, below the head of its group', () => {
    const container = show(400, { group: 'cca' });
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('403');
    const rows = [...container.querySelectorAll('tbody tr[aria-rowindex]')];
    expect(rows.length).toBeLessThan(100);
    expect(within(rows[0] as HTMLElement).getByRole('button', { name: 'BASE 200 cells' })).toBeTruthy();
  });
});
