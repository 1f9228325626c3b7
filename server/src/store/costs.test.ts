import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { addExperiment, addRun } from '../testing/runs.ts';
import { migrate, migrationFiles } from './database.ts';
import { Store } from './store.ts';

const folder = testFolder();

type Told = { readonly cpu_s: number; readonly worker?: string } | null;

function finish(store: Store, id: string, told: Told): void {
  const cost = told === null ? null : { type: 'cost' as const, wall_s: 1, packets: 10, ...told };
  const end = { state: 'done' as const, reason: null, stderr_tail: null, summary: null, time_s: 1 };
  store.runs.finish(id, { ...end, cost }, new Date(0).toISOString());
}

/** By its definition, from what is kept of each run. */
function added(store: Store, experiment: string, runs: readonly string[]) {
  const costs = [...new Set(runs)]
    .filter((run) => store.experiments.has(experiment, run))
    .flatMap((run) => store.runs.get(run)?.cost ?? []);
  return {
    cpu_s: costs.reduce((sum, { cpu_s }) => sum + cpu_s, 0),
    runs: costs.length,
    elsewhere: costs.filter(({ worker }) => worker !== undefined).length,
  };
}

describe('what an experiment took', () => {
  it('is what its runs took, however often they were made and by whom, in random orders', () => {
    const told = fc.option(
      fc.record(
        { cpu_s: fc.double({ min: 0, max: 100, noNaN: true }), worker: fc.constantFrom('a', 'b') },
        { requiredKeys: ['cpu_s'] },
      ),
    );
    const steps = fc.array(fc.oneof(fc.tuple(fc.nat(5), told), fc.constant('again' as const)), { maxLength: 30 });
    let files = 0;
    fc.assert(
      fc.property(steps, fc.nat(5), (all, later) => {
        const store = new Store(`${folder()}/${(files += 1)}.db`);
        const runs = Array.from({ length: 6 }, (_, i) => addRun(store, i));
        addExperiment(store, 'first', runs);
        for (const step of all) {
          if (step === 'again') store.runs.reset(runs[0] ?? '');
          else finish(store, runs[step[0]] ?? '', step[1]);
        }
        // A second one has some of them, and they go on.
        addExperiment(store, 'second', runs.slice(later));
        finish(store, runs[later] ?? '', { cpu_s: 3, worker: 'c' });
        for (const id of ['first', 'second']) {
          const { cpu_s, ...counts } = added(store, id, runs);
          expect(store.costs.of(id)).toMatchObject(counts);
          expect(store.costs.of(id).cpu_s).toBeCloseTo(cpu_s, 6);
        }
        store.close();
      }),
      { numRuns: 40 },
    );
  });

  it('goes with it', () => {
    const store = new Store(`${folder()}/gone.db`);
    const run = addRun(store, 1);
    addExperiment(store, 'one', [run]);
    finish(store, run, { cpu_s: 2 });
    expect(store.costs.of('one')).toEqual({ cpu_s: 2, runs: 1, elsewhere: 0 });
    store.db.prepare("DELETE FROM experiments WHERE id = 'one'").run();
    expect(store.costs.of('one')).toEqual({ cpu_s: 0, runs: 0, elsewhere: 0 });
    expect(store.db.prepare('SELECT COUNT(*) FROM experiment_costs').pluck().get()).toBe(0);
    store.close();
  });

  it('is known of what an earlier version made, but for what is not JSON', () => {
    const path = `${folder()}/old.db`;
    const old = new Database(path);
    migrate(old, migrationFiles().slice(0, 27));
    old.exec(`INSERT INTO manifests (body) VALUES ('{}');
      INSERT INTO experiments (id, name, created_at, spec, trace_names, cca_ids) VALUES ('e', 'old', '2026', '{}', '[]', '[]');`);
    const costs = ['{"cpu_s":1.5}', '{"cpu_s":2,"worker":"rack"}', '{"cpu_s":', '{"worker":"rack"}', null];
    for (const [i, cost] of costs.entries()) {
      old
        .prepare("INSERT INTO runs (id, state, cost, created_at, manifest_number) VALUES (?, 'done', ?, '2026', 1)")
        .run(`r${i}`, cost);
      // The first stands in two places of the matrix.
      for (const place of i === 0 ? [i, 10] : [i])
        old.prepare("INSERT INTO experiment_runs VALUES ('e', ?, ?, 'c0', 'solo', 0)").run(place, `r${i}`);
    }
    old.close();
    const store = new Store(path);
    expect(store.costs.of('e')).toEqual({ cpu_s: 3.5, runs: 2, elsewhere: 1 });
    // Whatever a merged folder says, the run is written.
    store.db.prepare("UPDATE runs SET cost = 'nothing' WHERE id = 'r0'").run();
    expect(store.costs.of('e')).toEqual({ cpu_s: 2, runs: 1, elsewhere: 1 });
    store.db.prepare(`UPDATE runs SET cost = '{"cpu_s":"7 apples"}' WHERE id = 'r0'`).run();
    expect(store.costs.of('e')).toEqual({ cpu_s: 9, runs: 2, elsewhere: 1 });
    store.close();
  });
});
