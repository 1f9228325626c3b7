// The map of an agent's network: which networks a run has, what is drawn of them, and how it answers.
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { agentRun } from '../gallery/agent-fixture';
import { getTheme } from '../theme/theme';
import { agentsOf } from './agents';
import type { RunPlotData } from './data';
import { parseOptions } from './options';
import { plot } from './replay-policy.plot';

afterEach(cleanup);

const SECONDS = 4;

const { Component } = plot;
function draw(data: RunPlotData, raw = {}) {
  const setOptions = vi.fn();
  const options = parseOptions(plot.options, raw).all;
  const made = render(
    <Component {...{ data, setOptions, options }} size={{ width: 700, height: 380 }} theme={getTheme()} />,
  );
  return { ...made, setOptions };
}

const HASH = 'ab'.repeat(32);

describe('agents of a run', () => {
  it('are each network once, and nobody where a rule decides', () => {
    const data = agentRun([
      { policy: 'trained', weights: '' },
      { policy: 'neutral', weights: '' },
      { policy: 'network', weights: HASH },
      { policy: 'trained', weights: '' },
      { policy: 'network', weights: '' },
    ]);
    expect(agentsOf(data).map(({ source, flows }) => [source, flows])).toEqual([
      [{ kind: 'trained', id: 'learning' }, [0, 3]],
      [{ kind: 'file', id: HASH }, [2]],
    ]);
  });
});

describe('the map of a policy', () => {
  it('is of the inputs that the network sees, with the way through them and what it did last', async () => {
    draw(agentRun([{ policy: 'trained', weights: '' }]));
    const picture = await screen.findByRole('img', { name: /^Action over share of it and delay of it, from [-−]/ });
    expect(picture.getAttribute('aria-label')).toMatch(/; in the end Learning at 1(\.0+)? and 0/);
    expect(screen.getByText(/its last action was [-−]0\.76/)).toBeTruthy();
    const names = [...screen.getByRole<HTMLSelectElement>('combobox', { name: 'Across' }).options].map(
      ({ text }) => text,
    );
    expect(names).toEqual(['share of it', 'delay of it']);
    expect(screen.queryByRole('combobox', { name: 'Agent' })).toBeNull();
  });

  it('turns its axes when one is asked for what the other has', async () => {
    const { setOptions } = draw(agentRun([{ policy: 'trained', weights: '' }]));
    await screen.findByRole('img');
    fireEvent.change(screen.getByRole('combobox', { name: 'Across' }), { target: { value: 'delay' } });
    expect(setOptions).toHaveBeenLastCalledWith({ x: 'delay', y: 'share' });
    cleanup();
    draw(agentRun([{ policy: 'trained', weights: '' }]), { x: 'delay', y: 'share' });
    expect(await screen.findByRole('img', { name: /^Action over delay of it and share of it/ })).toBeTruthy();
  });

  it('says why a network cannot be had, and shows nothing where there is none', async () => {
    const data = agentRun([
      { policy: 'trained', weights: '' },
      { policy: 'network', weights: HASH },
    ]);
    draw({ ...data, loadPolicy: () => Promise.reject(new Error('it was deleted')) });
    expect(await screen.findByText('The network cannot be had: it was deleted')).toBeTruthy();
    expect(screen.getByRole('combobox', { name: 'Agent' })).toBeTruthy();
    cleanup();
    const { container } = draw(agentRun([{ policy: 'neutral', weights: '' }]));
    expect(container.innerHTML).toBe('');
  });

  it('has a row for each look that is shown, with what was done', () => {
    const data = agentRun([
      { policy: 'trained', weights: '' },
      { policy: 'trained', weights: '' },
    ]);
    expect(plot.applies?.(data)).toBe(true);
    const all = { agent: '', x: '', y: 'loss' };
    // Of inputs that are mostly 0 little is to be seen: nobody gets them without asking.
    const unasked = plot.table(data, { ...all, y: '' }, { range: null, hidden: new Set() });
    expect(unasked.columns).toEqual(['time_s', 'series', 'share', 'delay', 'action']);
    const table = plot.table(data, all, { range: [1, 2], hidden: new Set(['flow:1']) });
    expect(table.columns).toEqual(['time_s', 'series', 'share', 'loss', 'action']);
    const rows = [...table.rows];
    expect(rows.length).toBeGreaterThan(50);
    for (const [time, series, share, loss, action] of rows) {
      expect(Number(time)).toBeGreaterThanOrEqual(1);
      expect(Number(time)).toBeLessThanOrEqual(2);
      expect([series, loss]).toEqual(['Learning 1', 0]);
      expect(share).toBeCloseTo(Number(time) / SECONDS, 5);
      expect(action).toBeCloseTo(Math.sin(Number(time)), 5);
    }
  });
});
