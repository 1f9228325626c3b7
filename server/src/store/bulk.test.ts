import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testFolder } from '../testing/folder.ts';
import { Store } from './store.ts';

const folder = testFolder();
let store: Store;
/** Sees what is committed. */
let other: Database.Database;
beforeEach(() => {
  const path = `${folder()}/paceline.db`;
  store = new Store(path);
  other = new Database(path, { readonly: true });
});
afterEach(() => {
  other.close();
  store.close();
});

const set = (key: string): void => store.settings.set(key, 1);
const known = (key: string): boolean => store.settings.get(key, z.number()) !== null;
const committed = (): unknown[] => other.prepare('SELECT key FROM settings ORDER BY key').pluck().all();
const fail = (): never => {
  throw new Error('no');
};

describe('pieces that are written together', () => {
  it('are committed a few at a time, and at the end', () => {
    const bulk = store.bulk();
    for (let i = 0; i < 50; i++) {
      bulk.piece(() => set(`k${i}`));
      expect(known(`k${i}`)).toBe(true);
    }
    expect(committed()).toHaveLength(40);
    bulk.end();
    expect(committed()).toHaveLength(50);
  });

  it.each([
    ['a statement', () => set('theirs')],
    ['a transaction', () => store.transaction(() => set('theirs'))],
  ])('are committed before %s of somebody else, who loses nothing when a piece fails', (_, write) => {
    const bulk = store.bulk();
    bulk.piece(() => set('first'));
    write();
    bulk.piece(() => set('second'));
    expect(() =>
      bulk.piece(() => {
        set('third');
        fail();
      }),
    ).toThrow('no');
    expect(committed()).toEqual(['first', 'theirs']);
    expect([known('second'), known('third')]).toEqual([false, false]);
    set('after');
    expect(committed()).toEqual(['after', 'first', 'theirs']);
  });

  it('that go with those of another work are told of at the next piece, once', () => {
    const [a, b] = [store.bulk(), store.bulk()];
    a.piece(() => set('a'));
    expect(() => b.piece(fail)).toThrow('no');
    expect(() => a.piece(() => set('more'))).toThrow('no');
    expect(known('more')).toBe(false);
    a.piece(() => set('again'));
    a.end();
    b.end();
    expect(committed()).toEqual(['again']);
  });

  it('that go at the very end are told of there', () => {
    const [a, b] = [store.bulk(), store.bulk()];
    a.piece(() => set('a'));
    expect(() => b.piece(fail)).toThrow('no');
    expect(() => a.end()).toThrow('no');
  });

  it('are there when the store is closed', () => {
    store.bulk().piece(() => set('last'));
    store.close();
    expect(committed()).toEqual(['last']);
    store = new Store(`${folder()}/another.db`);
  });
});
