import { expect, it } from 'vitest';
import { FakePrograms } from '#bridge/testing/fake-programs';
import { Helpers } from './helpers.ts';
import { remembered } from './remember.ts';
import { TraceSources } from './traces/trace-sources.ts';

it('asks once, and again after a failure', async () => {
  let asked = 0;
  const answer = remembered(() => (++asked === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve(asked)));
  await expect(answer()).rejects.toThrow('not yet');
  expect([await answer(), await answer(), asked]).toEqual([2, 2, 2]);
});

it('the list of formats is read again when the program could not be used at first', async () => {
  const sources = new TraceSources(new Helpers(null));
  const file = { path: '/dev/null', name: 'a', remove: () => Promise.resolve() };
  const programs = new FakePrograms();
  try {
    programs.add('paceline-trace', [], 'exit 1');
    await expect(sources.add(file, { options: {} })).rejects.toThrow('paceline-trace');
  } finally {
    programs.remove();
  }
  const { formats, id } = await sources.add(file, { options: {} });
  expect(formats.length).toBeGreaterThan(0);
  await sources.remove(id);
});
