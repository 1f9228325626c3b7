// Long works write thousands of rows in small pieces, between which others have a turn. Ids are hashes: each piece changes pages all over
// the indexes, and a commit writes every one of them anew. So several pieces are committed together, as long as nobody else writes:
// whoever does first has the pieces committed, and loses nothing should they fail.
// A savepoint for each piece would cost as much as a commit: one that fails takes those with it that were not committed yet.
import type { Db } from './database.ts';

/** Pieces that one commit takes. */
const PIECES = 40;

/** A long work's own pieces. */
export interface Bulk {
  /** All of `work` or nothing of it. Throws also when pieces of before are lost. */
  readonly piece: (work: () => void) => void;
  /** Nothing is left to be committed. */
  readonly end: () => void;
}

interface Owner {
  failed: Error | null;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

export class Bulks {
  readonly #db: Db;
  readonly #begin;
  readonly #commit;
  readonly #rollback;
  /** Those who have pieces in the transaction that is open; empty: there is none. */
  readonly #open = new Set<Owner>();
  #pieces = 0;
  #inside = false;

  /** Of a connection whose other statements were not prepared yet. */
  constructor(db: Db) {
    this.#db = db;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
    const prepare = db.prepare.bind(db);
    db.prepare = ((sql: string) => {
      const statement = prepare(sql);
      if (statement.readonly) return statement;
      const after =
        <A extends unknown[], R>(execute: (...args: A) => R) =>
        (...args: A): R => {
          if (this.#open.size > 0 && !this.#inside) this.settle();
          return execute(...args);
        };
      return Object.assign(statement, {
        run: after(statement.run.bind(statement)),
        get: after(statement.get.bind(statement)),
        all: after(statement.all.bind(statement)),
      });
    }) as Db['prepare'];
  }

  begin(): Bulk {
    const owner: Owner = { failed: null };
    return {
      piece: (work) => this.#piece(owner, work),
      end: () => {
        if (this.#open.has(owner)) this.settle();
        this.#check(owner);
      },
    };
  }

  /** Commits what is open. Who it belongs to is told if that fails, at their next piece. */
  settle(): void {
    if (this.#open.size === 0) return;
    try {
      this.#commit.run();
      this.#open.clear();
    } catch (error) {
      this.#lose(asError(error));
    }
    this.#pieces = 0;
  }

  #piece(owner: Owner, work: () => void): void {
    this.#check(owner);
    if (this.#open.size === 0) this.#begin.run();
    this.#open.add(owner);
    this.#inside = true;
    try {
      work();
    } catch (error) {
      this.#lose(asError(error));
    } finally {
      this.#inside = false;
    }
    if (++this.#pieces >= PIECES) this.settle();
    this.#check(owner);
  }

  #lose(error: Error): void {
    for (const owner of this.#open) owner.failed = error;
    this.#open.clear();
    if (this.#db.inTransaction) this.#rollback.run();
  }

  #check(owner: Owner): void {
    const { failed } = owner;
    owner.failed = null;
    if (failed !== null) throw failed;
  }
}
