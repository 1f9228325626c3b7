import { expect, it, vi } from 'vitest';
import { ExperimentSpec } from '#protocol/spec';
import { NOTHING_SAID } from '#protocol/labels';
import type { LiveMessage } from '#protocol/api';
import type { KeptExperiment, KeptRun } from './kept/database';
import { Desk } from './kept/desk';
import { LocalSocket } from './local-socket';

// The desk itself, empty: what it keeps beyond this page is the browser's.
const known = vi.hoisted(() => ({ desk: null as unknown }));
vi.mock('./kept/desk', async (original) => ({
  ...(await original<object>()),
  desk: () => Promise.resolve(known.desk),
}));

const ID = 'e'.repeat(20);
const spec = ExperimentSpec.parse({ traces: [{ rate_mbps: 12 }], ccas: [{ id: 'cubic' }] });
const place = (run: string) => ({ run, cell: 'c', role: 'solo', repetition: 0 }) as const;

it('whoever begins to watch is told how all stands: what ended before nobody else would tell', async () => {
  const desk = new Desk();
  known.desk = desk;
  const run = (id: string, state: KeptRun['state']): void =>
    void desk.runs.set(id, { id, state, reason: null, time_s: 0, summary: null } as KeptRun);
  run('first', 'done');
  run('second', 'running');
  const kept: Partial<KeptExperiment> = { id: ID, spec, cells: [], places: [place('first'), place('second')] };
  desk.experiments.set(ID, { ...kept, created_at: '', labels: NOTHING_SAID } as KeptExperiment);

  const socket = new LocalSocket();
  const told: LiveMessage[] = [];
  socket.addEventListener('message', (event) => {
    told.push(JSON.parse((event as MessageEvent<string>).data) as LiveMessage);
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  socket.send(JSON.stringify({ type: 'watch', experiment: 'f'.repeat(20) }));
  socket.send(JSON.stringify({ type: 'watch', experiment: ID }));
  await vi.waitFor(() => expect(told).toHaveLength(3));
  expect(told).toEqual([
    expect.objectContaining({ type: 'run', run: expect.objectContaining({ id: 'first', state: 'done' }) as unknown }),
    expect.objectContaining({
      type: 'run',
      run: expect.objectContaining({ id: 'second', state: 'running' }) as unknown,
    }),
    expect.objectContaining({ type: 'experiment', state: 'running', runs_done: 1, runs_total: 2 }),
  ]);
});
