// Where runs are made and what experiments cost, as the server tells it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkersRecord } from '#protocol/workers';
import { LONG, QUICK, TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

const told = async (): Promise<WorkersRecord> =>
  WorkersRecord.parse(await (await fetch(server.url('/workers'))).json());

describe('what experiments cost', () => {
  it('is what their runs took, of those that go on and of the newest that are over', async () => {
    const first = await server.submit({ ...QUICK, name: 'first', repetitions: 2 });
    await server.over(first);
    // The second has one of the first's runs and another.
    const second = await server.submit({ ...QUICK, name: 'second', repetitions: 3 });
    await server.over(second);
    const costOf = (runs: typeof first.runs): number =>
      runs.reduce((sum, { id }) => sum + (server.lab.store.runs.get(id)?.cost?.cpu_s ?? NaN), 0);
    // Beside them is the sample that every server makes, which may still go on.
    const experiments = (await told()).experiments.filter(({ id }) => [first.id, second.id].includes(id));
    expect(experiments).toMatchObject([
      { id: second.id, name: 'second', runs_done: 3, runs_total: 3, goes_on: false, by_workers: 0, left_s: null },
      { id: first.id, name: 'first', runs_done: 2, runs_total: 2 },
    ]);
    expect(experiments[0]?.cpu_s).toBeCloseTo(costOf(second.runs), 9);
    expect(experiments[1]?.cpu_s).toBeCloseTo(costOf(first.runs), 9);
    expect(costOf(second.runs)).toBeGreaterThan(costOf(first.runs));

    // What goes on stands first, and what was deleted not at all. Of what is over there are fewer the more goes on: the sample is to be over.
    await expect
      .poll(async () => (await told()).experiments.filter(({ goes_on }) => goes_on), { timeout: 60_000 })
      .toEqual([]);
    const long = await server.submit(LONG);
    await server.submit({ ...QUICK, name: 'newest', ccas: [{ id: 'bbr' }] });
    expect((await fetch(server.url(`/experiments/${second.id}`), { method: 'DELETE' })).status).toBeLessThan(300);
    const now = (await told()).experiments;
    expect(now.map(({ name }) => name)).toEqual(expect.arrayContaining(['long', 'newest', 'first']));
    expect(now.find(({ id }) => id === long.id)).toMatchObject({ goes_on: true, runs_done: 0, cpu_s: null });
    expect(now.map(({ name }) => name)).not.toContain('second');
  });
});
