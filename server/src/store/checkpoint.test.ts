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
