// What comes between a run and its end: who is to blame, what is tried again, and what is said of it.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { wholeRun } from '#bridge/testing/fake-programs';
import { NO_SETBACKS } from '../store/jobs.ts';
import { BEGUN, SLOW, testQueue } from '../testing/queue.ts';
import { Outlook } from './outlook.ts';
import type { Scheduler } from './scheduler.ts';
import { after } from './setbacks.ts';

const queue = testQueue();

/** The program ends by the signal so often, and then well. */
function endsBy(signal: string, times: number): void {
  const { programs } = queue();
  const { dir } = programs;
  writeFileSync(`${dir}/whole`, Buffer.concat(wholeRun(10)));
  const script = `if [ $(wc -l < '${dir}/pids') -le ${times} ]; then kill -${signal} $$; fi; cat '${dir}/whole'`;
  programs.add('paceline-simulate', [], script);
}

const tries = (): number => queue().programs.pids().length;

describe('a run whose program is ended from outside', () => {
  it.each(['KILL', 'TERM', 'HUP'])('by SIG%s is made again, and says so while it waits', async (signal) => {
    endsBy(signal, 2);
    const run = queue().add();
    const scheduler = queue().scheduler();
    const outlook = new Outlook(scheduler, queue().store);
    const said = new Set<string>();
    queue().feed.on(run, () => said.add(outlook.waitReason(run) ?? ''));
    scheduler.start();
    await queue().reaches(run, 'done', 'failed');
    expect(queue().store.runs.get(run)).toMatchObject({ state: 'done', reason: null });
    expect(tries()).toBe(3);
    const words = [...said].join('\n');
    expect(words).toContain(`paceline-simulate was ended by SIG${signal}; try 2 of 10 in 1 s`);
    expect(words).toContain('; try 3 of 10');
    expect(scheduler.setbackOf(run)).toBeNull();
  });

  it('can be stopped while it waits', async () => {
    endsBy('KILL', 100);
    const run = queue().add();
    const scheduler = queue().scheduler();
    scheduler.start();
    await queue().until(run, () => (scheduler.setbackOf(run)?.tries ?? 0) >= 2 && scheduler.active.size === 0);
    scheduler.cancelWaiting([run]);
    expect(queue().store.runs.get(run)).toMatchObject({ state: 'cancelled' });
    expect(queue().store.jobs.count()).toBe(0);
    expect(scheduler.setbackOf(run)).toBeNull();
  });

  it('lets the others go on meanwhile', async () => {
    const { programs } = queue();
    writeFileSync(`${programs.dir}/whole`, Buffer.concat(wholeRun(10)));
    const script = `read -r line; case $line in *'"seed":1,'*) kill -KILL $$;; esac; cat '${programs.dir}/whole'`;
    programs.add('paceline-simulate', [], script);
    const [killed, other] = [queue().add({ seed: 1 }), queue().add({ seed: 2 })];
    const scheduler = queue().scheduler(1);
    scheduler.start();
    await queue().reaches(other, 'done');
    expect(scheduler.setbackOf(killed)?.tries).toBeGreaterThan(0);
  });

  it('keeps what counts against it over a restart of the server', async () => {
    endsBy('KILL', 100);
    const run = queue().add();
    const first = queue().scheduler();
    first.start();
    await queue().until(run, () => first.setbackOf(run)?.tries === 2 && first.active.size === 0);
    await first.close();
    const second = queue().scheduler();
    second.start();
    expect(second.setbackOf(run)).toMatchObject({ tries: 2, most: 10 });
  });
});

describe('a run that fails by itself', () => {
  it('soon, when its program crashes every time', async () => {
    endsBy('SEGV', 100);
    const run = queue().add();
    queue().scheduler().start();
    await queue().reaches(run, 'done', 'failed');
    const reason = 'paceline-simulate was ended by SIGSEGV, in each of 3 tries';
    expect(queue().store.runs.get(run)).toMatchObject({ state: 'failed', reason });
    expect(tries()).toBe(3);
  });

  it('but not for one crash', async () => {
    endsBy('SEGV', 1);
    const run = queue().add();
    queue().scheduler().start();
    await queue().reaches(run, 'done', 'failed');
    expect(queue().store.runs.state(run)).toBe('done');
  });

  it('at once, when it says why', async () => {
    queue().programs.add('paceline-simulate', BEGUN, 'echo "no such thing" >&2; exit 3');
    const run = queue().add();
    queue().scheduler().start();
    await queue().reaches(run, 'failed');
    expect(tries()).toBe(1);
  });

  it('and is not in the way of the others, when its manifest cannot be read', async () => {
    const { programs, store } = queue();
    programs.add('paceline-simulate', wholeRun(10), 'exit 0');
    const [bad, good] = [queue().add({ seed: 1 }), queue().add({ seed: 2 })];
    store.db
      .prepare("UPDATE manifests SET body = '{}' WHERE number = (SELECT manifest_number FROM runs WHERE id = ?)")
      .run(bad);
    queue().scheduler(1).start();
    await queue().reaches(good, 'done');
    expect(store.db.prepare('SELECT state, reason FROM runs WHERE id = ?').get(bad)).toEqual({
      state: 'failed',
      reason: 'its manifest cannot be read: run the experiment again',
    });
  });
});

describe('the bounds', () => {
  it('are of each cause, and the waiting grows', () => {
    const delays: (number | null)[] = [];
    let setbacks = NO_SETBACKS;
    let reason = '';
    for (let i = 0; i < 10; i++) {
      const next = after(setbacks, 'killed', 'it was ended by SIGKILL');
      delays.push(next.after_ms);
      ({ setbacks, reason } = next);
    }
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, null]);
    expect(reason).toBe(
      'it was ended by SIGKILL, in each of 10 tries: somebody ends it, or this machine has too little memory for it',
    );
  });
});

describe('runs that are killed in turn', () => {
  it('are not blamed for it as soon as one that is killed alone', async () => {
    const { programs, store } = queue();
    programs.add('paceline-simulate', BEGUN, 'kill -KILL $$');
    const runs = [queue().add({ seed: 1 }), queue().add({ seed: 2 })];
    const scheduler = queue().scheduler(1);
    scheduler.start();
    await Promise.all(runs.map((run) => queue().until(run, () => store.jobs.setbacks(run).killed_too >= 2)));
    expect(runs.map((run) => store.runs.state(run))).not.toContain('failed');
    await scheduler.close();
    const often = { ...NO_SETBACKS, killed_too: 38 };
    expect(after(often, 'killed_too', 'it was killed').after_ms).not.toBeNull();
    expect(after({ ...often, killed: 9 }, 'killed_too', 'it was killed').setbacks.killed).toBe(0);
    expect(after({ ...often, killed_too: 39 }, 'killed_too', 'it was killed').after_ms).toBeNull();
  });
});

it('what was killed last is known after a restart of the server, too', async () => {
  const { programs, store } = queue();
  programs.add('paceline-simulate', BEGUN, 'kill -KILL $$');
  const first = queue().add({ seed: 1 });
  const before = queue().scheduler();
  before.pump();
  await queue().until(first, () => store.jobs.setbacks(first).killed === 1 && before.active.size === 0);
  await before.close();
  store.jobs.lease(first, 'somebody else');
  const second = queue().add({ seed: 2 });
  const next = queue().scheduler();
  next.pump();
  await queue().until(second, () => store.jobs.setbacks(second).last !== null && next.active.size === 0);
  expect(store.jobs.setbacks(second)).toMatchObject({ killed: 0, killed_too: 1 });
});

/** A server dies with these runs in hand; gives the next one's scheduler. */
function dies(inHand: readonly string[], owner: string): Scheduler {
  const { store } = queue();
  for (const run of inHand) {
    store.jobs.wake(run);
    store.runs.start(run, new Date().toISOString());
    store.jobs.lease(run, owner);
  }
  return queue().scheduler();
}

describe('a run that was going when the server ended', () => {
  it('among others is made again, however often', async () => {
    const { programs, store } = queue();
    programs.add('paceline-simulate', wholeRun(10), 'sleep 0.2');
    const runs = [queue().add({ seed: 1 }), queue().add({ seed: 2 })];
    for (let i = 0; i < 12; i++) {
      const scheduler = dies(runs, `gone ${i}`);
      scheduler.start();
      await scheduler.close();
    }
    queue().scheduler().start();
    await Promise.all(runs.map((run) => queue().reaches(run, 'done', 'failed')));
    expect(runs.map((run) => store.runs.state(run))).toEqual(['done', 'done']);
  });

  it('alone is not blamed while the server ends without it, too', async () => {
    const { programs, store } = queue();
    programs.add('paceline-simulate', wholeRun(10), 'sleep 0.2');
    const runs = [queue().add({ seed: 1 }), queue().add({ seed: 2 })];
    for (let i = 0; i < 12; i++) {
      const scheduler = dies([runs[i % 2] ?? ''], `gone ${i}`);
      scheduler.start();
      await scheduler.close();
    }
    expect(runs.map((run) => store.runs.state(run))).toEqual(['queued', 'queued']);
    // Two that end it in turn come to an end all the same.
    let deaths = 12;
    for (; deaths < 200 && !runs.some((run) => store.runs.state(run) === 'failed'); deaths++) {
      const scheduler = dies([runs[deaths % 2] ?? ''], `gone ${deaths}`);
      scheduler.start();
      await scheduler.close();
    }
    expect(deaths).toBe(80 - 1);
  });

  it('too often is kept apart from the others, and blamed only when the server ends with it alone', async () => {
    const { programs, store } = queue();
    programs.add('paceline-simulate', BEGUN, SLOW);
    const [poison, innocent] = [queue().add({ seed: 1 }), queue().add({ seed: 2 })];
    const together = async (scheduler: Scheduler): Promise<number> => {
      scheduler.start();
      await queue().reaches(poison, 'running', 'failed');
      const { size } = scheduler.active;
      await scheduler.close();
      return size;
    };
    expect(await together(queue().scheduler())).toBe(2);
    expect(await together(dies([poison, innocent], 'gone 1'))).toBe(2);
    expect(await together(dies([poison, innocent], 'gone 2'))).toBe(2);
    // From now on nothing is beside it.
    expect(await together(dies([poison, innocent], 'gone 3'))).toBe(1);
    expect(store.runs.state(innocent)).toBe('queued');
    for (let i = 0; i < 5; i++) {
      const scheduler = dies([poison], `gone with it alone ${i}`);
      scheduler.start();
      if (i < 4) expect(scheduler.setbackOf(poison)).toMatchObject({ tries: i + 1, most: 5 });
      await scheduler.close();
    }
    expect(store.runs.get(poison)).toMatchObject({
      state: 'failed',
      reason: 'the server ended while this run was going, in each of 5 tries, with no other run beside it',
    });
    programs.add('paceline-simulate', wholeRun(10), 'exit 0');
    queue().scheduler().start();
    await queue().reaches(innocent, 'done');
  });
});
