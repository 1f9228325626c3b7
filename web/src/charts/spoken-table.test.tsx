import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { SpokenTable } from './SpokenTable';
import type { Table } from './types';

afterEach(cleanup);

/** As figures make theirs: the rows can be gone through once. */
const tableOf = (count: number) => (): Table => {
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (let i = 1; i <= count; i++) yield [`cell ${i}`, i === 3 ? null : i * 1000.4];
  }
  return { columns: ['trace_name', 'rtt_ms'], rows: rows() };
};

describe('the table behind a figure', () => {
  it('is there for a screen reader when it is short', () => {
    render(<SpokenTable caption="Cells" table={tableOf(16)} />);
    expect(screen.getByRole('table', { name: 'Cells' })).toBeTruthy();
    expect(screen.getAllByRole('row')).toHaveLength(17);
    expect(screen.getByRole('columnheader', { name: 'trace name' })).toBeTruthy();
    expect(screen.getByRole('row', { name: 'cell 3 not measured' })).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('is asked for by a button when it is long, and then all of it can be read, page by page', () => {
    const { container } = render(<SpokenTable caption="Cells" table={tableOf(120)} />);
    expect(screen.queryByRole('table')).toBeNull();
    expect(container.querySelectorAll('*').length).toBeLessThan(5);
    const button = screen.getByRole('button', { name: 'Cells as a table' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    const read: string[] = [];
    for (let page = 0; ; page++) {
      read.push(...screen.getAllByRole('row').flatMap((row) => row.querySelector('td')?.textContent ?? []));
      expect(screen.getByRole('status').textContent).toMatch(new RegExp(`^Rows ${page * 25 + 1} to \\d+ of 120$`));
      const next = screen.getByRole('button', { name: 'Next rows' });
      if ((next as HTMLButtonElement).disabled) break;
      fireEvent.click(next);
    }
    expect(read).toEqual(Array.from({ length: 120 }, (_, i) => `cell ${i + 1}`));
    fireEvent.click(screen.getByRole('button', { name: 'Rows before' }));
    expect(screen.getByRole('status').textContent).toBe('Rows 76 to 100 of 120');
    fireEvent.click(button);
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('stays at a page that there is when rows go', () => {
    const { rerender } = render(<SpokenTable caption="Cells" table={tableOf(60)} />);
    fireEvent.click(screen.getByRole('button', { name: 'Cells as a table' }));
    fireEvent.click(screen.getByRole('button', { name: 'Next rows' }));
    fireEvent.click(screen.getByRole('button', { name: 'Next rows' }));
    rerender(<SpokenTable caption="Cells" table={tableOf(30)} />);
    expect(screen.getByRole('status').textContent).toBe('Rows 26 to 30 of 30');
  });
});
