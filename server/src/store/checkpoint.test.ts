import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { Checkpoints } from './checkpoint.ts';
import { Store } from './store.ts';

const folder = testFolder();
const MB = 2 ** 20;

it('moves the log into the database, and a long work waits while it does so', async () => {
  const path = `${folder()}/paceline.db`;
  const store = new Store(path);
  const checkpoints = new Checkpoints(path);
  const put = store.db.prepare("INSERT OR REPLACE INTO settings VALUES ('k', ?)");
  const text = 'x'.repeat(MB);
  expect(checkpoints.room()).toBeNull();
  for (let i = 0; i < 70; i++) put.run(text);
  await checkpoints.room();
  // Nobody waits twice for the same.
  expect(checkpoints.room()).toBeNull();
  // Everything was moved: the log begins anew, and is cut.
  put.run(text);
  expect(statSync(`${path}-wal`).size).toBeLessThan(20 * MB);
  await checkpoints.close();
  store.close();
  const again = new Store(path);
  expect(again.db.prepare("SELECT value FROM settings WHERE key = 'k'").pluck().get()).toBe(text);
  again.close();
});

it('keeps a process that waits for it', () => {
  const here = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  const script = `
    const { Checkpoints } = await import(${here('checkpoint.ts')});
    const { Store } = await import(${here('store.ts')});
    const store = new Store(process.argv[1]);
    const checkpoints = new Checkpoints(process.argv[1]);
    const put = store.db.prepare("INSERT OR REPLACE INTO settings VALUES ('k', ?)");
    for (let i = 0; i < 70; i++) put.run('x'.repeat(${MB}));
    await checkpoints.room();
    console.log('there is room');
    await checkpoints.close();
    store.close();
    console.log('closed');`;
  const words = ['--import', 'tsx', '--input-type', 'module', '-e', script, `${folder()}/paceline.db`];
  expect(execFileSync(process.execPath, words, { encoding: 'utf8' })).toBe('there is room\nclosed\n');
});
