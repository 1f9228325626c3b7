import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { lockDataDir, migrate, migrationFiles, openDatabase } from './database.ts';

const folder = testFolder();
const versionOf = (db: Database.Database): unknown => db.pragma('user_version', { simple: true });

describe('migrations', () => {
  it('bring an empty file up to date, and leave it alone the next time', () => {
    const path = `${folder()}/a.db`;
    const db = openDatabase(path);
    expect(versionOf(db)).toBe(migrationFiles().length);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
    db.prepare("INSERT INTO settings (key, value) VALUES ('a', '1')").run();
    db.close();
    const again = openDatabase(path);
    expect(again.prepare('SELECT value FROM settings').pluck().get()).toBe('1');
    again.close();
  });

  it('take the steps that are missing, in order', () => {
    const db = new Database(':memory:');
    const first = { version: 1, sql: 'CREATE TABLE t (a INTEGER)' };
    migrate(db, [first]);
    migrate(db, [first, { version: 2, sql: 'ALTER TABLE t ADD COLUMN b INTEGER; INSERT INTO t VALUES (1, 2)' }]);
    expect(db.prepare('SELECT a, b FROM t').all()).toEqual([{ a: 1, b: 2 }]);
  });

  it('undo a step that fails half-way', () => {
    const db = new Database(':memory:');
    expect(() =>
      migrate(db, [{ version: 1, sql: 'CREATE TABLE t (a INTEGER); CREATE TABLE t (a INTEGER)' }]),
    ).toThrow();
    expect(versionOf(db)).toBe(0);
    expect(db.prepare("SELECT name FROM sqlite_master WHERE name = 't'").all()).toEqual([]);
  });

  it('refuse a file of a newer version', () => {
    const db = new Database(':memory:');
    db.pragma('user_version = 99');
    expect(() => migrate(db, migrationFiles())).toThrow('written by a newer Paceline (schema 99');
  });
});

describe('the lock of a data folder', () => {
  it('is for one at a time, and free again when it is released', () => {
    const path = `${folder()}/lock.db`;
    const first = lockDataDir(path);
    expect(first).not.toBeNull();
    expect(lockDataDir(path)).toBeNull();
    first?.release();
    const second = lockDataDir(path);
    expect(second).not.toBeNull();
    second?.release();
  });
});
