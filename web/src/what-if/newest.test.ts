import { describe, expect, it } from 'vitest';
import { Newest } from './newest';

/** Answers that come when the test says so. */
function workshop(lanes: number) {
  const started: { readonly question: string; readonly signal: AbortSignal; readonly done: () => void }[] = [];
  const shown: string[] = [];
  let time = 0;
  const newest = new Newest<string, string>({
    lanes,
    answer: (question, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(null));
        started.push({ question, signal, done: () => resolve(question.toUpperCase()) });
      }),
    show: (answer) => shown.push(answer),
    now: () => time,
  });
  const after = async (ms: number): Promise<void> => {
    time += ms;
    await Promise.resolve();
  };
  const finish = async (question: string): Promise<void> => {
    started.find((one) => one.question === question)?.done();
    for (let i = 0; i < 4; i++) await Promise.resolve();
  };
  return { newest, started, shown, after, finish, names: () => started.map(({ question }) => question) };
}

describe('the newest of many questions', () => {
  it('lets a quick answer come, and then takes the newest that waits', async () => {
    const { newest, shown, after, finish, names } = workshop(1);
    for (const question of ['a', 'b', 'c']) newest.ask(question);
    expect(names()).toEqual(['a']);
    await after(30);
    await finish('a');
    expect(names()).toEqual(['a', 'c']);
    await finish('c');
    expect(shown).toEqual(['A', 'C']);
  });

  it('gives a slow answer up for a newer question, but shows one now and then while questions keep coming', async () => {
    const { newest, started, shown, after, finish, names } = workshop(1);
    newest.ask('a');
    await after(400);
    await finish('a');
    newest.ask('b');
    await after(10);
    newest.ask('c');
    expect(started[1]?.signal.aborted).toBe(true);
    await finish('b');
    expect(names()).toEqual(['a', 'b', 'c']);
    await after(1200);
    newest.ask('d');
    expect(started[2]?.signal.aborted).toBe(false);
    await finish('c');
    expect(shown).toEqual(['A', 'C']);
  });

  it('never shows an older answer after a newer one, and gives it up', async () => {
    const { newest, started, shown, finish } = workshop(2);
    newest.ask('a');
    newest.ask('b');
    await finish('b');
    expect(started[0]?.signal.aborted).toBe(true);
    await finish('a');
    expect(shown).toEqual(['B']);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const { newest, started, shown, finish } = workshop(1);
    newest.ask('a');
    newest.ask('b');
    newest.stop();
    expect(started[0]?.signal.aborted).toBe(true);
    await finish('a');
    expect([started.length, shown]).toEqual([1, []]);
  });
});
