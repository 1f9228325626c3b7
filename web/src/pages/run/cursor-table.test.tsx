import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { cursorReaders } from '../../charts/cursor-values';
import { TimeView } from '../../charts/time-view';
import type { RunSamples } from '../../plots/data';
import { CursorTable } from './CursorTable';

afterEach(cleanup);

const samples = (rows: number): RunSamples =>
  ({
    streams: new Map([[0, { rows }]]),
    events: [],
    timeS: 10,
    complete: true,
    subscribe: () => () => undefined,
  }) as unknown as RunSamples;

/** The column, and what a frame makes of it. */
async function column(rows: number, view: TimeView): Promise<HTMLElement> {
  render(<CursorTable view={view} samples={samples(rows)} alone={null} />);
  await new Promise((resolve) => setTimeout(resolve, 50));
  return screen.getByLabelText('Values at the cross-hair');
}

const reading = {
  panel: 'queue',
  series: 'queue',
  label: 'queue',
  group: '',
  colour: 'black',
  value: 1,
  unit: 'B',
};

it('keeps its room while the panels of a finished run are on their way, though the first has nothing to tell', async () => {
  const view = new TimeView({ extent: [0, 10] });
  const table = await column(100, view);
  const seen = new Set([table.hasAttribute('data-empty')]);
  const watch = new MutationObserver(() => seen.add(table.hasAttribute('data-empty')));
  watch.observe(table, { attributes: true });
  cursorReaders(view).add(document.body, () => []);
  await new Promise((resolve) => setTimeout(resolve, 300));
  cursorReaders(view).add(document.body, () => [reading]);
  await waitFor(() => expect(screen.getByText('queue')).toBeTruthy());
  expect([...seen]).toEqual([false]);
});

it('gives its room when everything on the panels is hidden, and takes it again', async () => {
  const view = new TimeView({ extent: [0, 10] });
  const table = await column(100, view);
  cursorReaders(view).add(document.body, () => []);
  await waitFor(() => expect(table.hasAttribute('data-empty')).toBe(true), { timeout: 4000 });
  const hide = cursorReaders(view).add(document.body, () => [reading]);
  await waitFor(() => expect(table.hasAttribute('data-empty')).toBe(false));
  // Hidden by hand it is gone at once.
  hide();
  await waitFor(() => expect(table.hasAttribute('data-empty')).toBe(true), { timeout: 500 });
});

it('gives its room to the panels of a run without samples', async () => {
  expect((await column(0, new TimeView({ extent: [0, 10] }))).hasAttribute('data-empty')).toBe(true);
});

it('keeps the order of the page when panels side by side have the same series, and no row of before', async () => {
  const view = new TimeView({ extent: [0, 10] });
  const table = await column(100, view);
  const rows = (): string[] => [...table.querySelectorAll('tbody tr:has(td)')].map((row) => row.textContent);
  const [first, left, right] = [0, 1, 2].map(() => document.body.appendChild(document.createElement('div')));
  if (first === undefined || left === undefined || right === undefined) throw new Error('there is no place');
  const named = (label: string, value: number) => () => [
    { ...reading, panel: 'throughput', series: label, label, value },
  ];
  cursorReaders(view).add(right, named('NewReno', 2));
  cursorReaders(view).add(left, named('NewReno', 4));
  await waitFor(() => expect(rows()).toEqual(['NewReno4.00\u00a0B', 'NewReno2.00\u00a0B']));
  cursorReaders(view).add(first, named('Cubic', 3));
  await waitFor(() => expect(rows()[0]).toBe('Cubic3.00\u00a0B'));
  expect(rows()).toEqual(['Cubic3.00\u00a0B', 'NewReno4.00\u00a0B', 'NewReno2.00\u00a0B']);
});
