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

it('keeps its room while the panels of a finished run are on their way', async () => {
  const view = new TimeView({ extent: [0, 10] });
  const table = await column(100, view);
  expect(table.hasAttribute('data-empty')).toBe(false);

  // A panel comes, and everything on it is hidden.
  cursorReaders(view).add(document.body, () => []);
  await waitFor(() => expect(table.hasAttribute('data-empty')).toBe(true));

  const reading = {
    panel: 'queue',
    series: 'queue',
    label: 'queue',
    group: '',
    colour: 'black',
    value: 1,
    unit: 'B',
  };
  cursorReaders(view).add(document.body, () => [reading]);
  await waitFor(() => expect(table.hasAttribute('data-empty')).toBe(false));
});

it('gives its room to the panels of a run without samples', async () => {
  expect((await column(0, new TimeView({ extent: [0, 10] }))).hasAttribute('data-empty')).toBe(true);
});
