import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Maker, PrivateKind } from '#protocol/access';
import type { Db } from './database.ts';
import type { SettingStore } from './settings.ts';

/** Who looks: whoever sees everything, or somebody, who sees what is for all and what is theirs. */
export type Eyes = 'all' | Maker;

/** Where nobody is asked, what is private is the operator’s. */
export const OPERATOR: Maker = { name: null, via: 'token' };

/** Whoever looks and is nobody: no proxy names anybody so. */
export const NOBODY: Maker = { name: '', via: 'proxy' };

const SECRET = 'private_secret';

const Ids = z.array(z.string());
const NONE: ReadonlySet<string> = new Set();

const keyOf = ({ name, via }: Maker): { name: string; via: string } => ({ name: name ?? '', via });

/** A row of `seen_by` that lets @via @name look. */
const theirs = (kind: PrivateKind, id: string): string =>
  `EXISTS (SELECT 1 FROM seen_by t WHERE t.kind = '${kind}' AND t.object_id = ${id} AND t.via = @via AND t.name = @name)`;
const hidden = (kind: PrivateKind, id: string): string =>
  `(EXISTS (SELECT 1 FROM seen_by h WHERE h.kind = '${kind}' AND h.object_id = ${id}) AND NOT ${theirs(kind, id)})`;

/** What is private, and to whom. A run is for whoever may see an experiment that has it. */
export class PrivateStore {
  readonly #settings: SettingStore;
  readonly #any;
  readonly #has;
  readonly #let;
  readonly #drop;
  readonly #unseen;
  readonly #isUnseen;
  readonly #runIsUnseen;
  readonly #ofRun;

  constructor(db: Db, settings: SettingStore) {
    this.#settings = settings;
    this.#any = db.prepare('SELECT 1 FROM seen_by LIMIT 1');
    this.#has = db.prepare('SELECT 1 FROM seen_by WHERE kind = ? AND object_id = ? LIMIT 1');
    this.#let = db.prepare(
      'INSERT OR IGNORE INTO seen_by (kind, object_id, via, name) VALUES (@kind, @id, @via, @name)',
    );
    this.#drop = db.prepare('DELETE FROM seen_by WHERE kind = ? AND object_id = ?');
    const unseen = (kind: PrivateKind) =>
      db
        .prepare(
          `SELECT DISTINCT s.object_id FROM seen_by s WHERE s.kind = '${kind}' AND NOT ${theirs(kind, 's.object_id')}`,
        )
        .pluck();
    this.#unseen = { experiment: unseen('experiment'), trace: unseen('trace') };
    const isUnseen = (kind: PrivateKind) => db.prepare(`SELECT ${hidden(kind, '@id')}`).pluck();
    this.#isUnseen = { experiment: isUnseen('experiment'), trace: isUnseen('trace') };
    this.#runIsUnseen = db
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM experiment_runs r WHERE r.run_id = @id)
           AND NOT EXISTS (SELECT 1 FROM experiment_runs r WHERE r.run_id = @id AND NOT ${hidden('experiment', 'r.experiment_id')})`,
      )
      .pluck();
    this.#ofRun = db
      .prepare(
        `SELECT r.experiment_id FROM experiment_runs r JOIN experiments e ON e.id = r.experiment_id
         WHERE r.run_id = @id AND NOT ${hidden('experiment', 'r.experiment_id')} ORDER BY e.rowid DESC, r.position LIMIT 1`,
      )
      .pluck();
  }

  /** What sets ids of theirs apart: nobody can tell it who does not have the data folder. */
  secretOf({ name, via }: Maker): string {
    let secret = this.#settings.get(SECRET, z.string());
    if (secret === null) {
      secret = randomBytes(32).toString('base64url');
      this.#settings.set(SECRET, secret);
    }
    return createHmac('sha256', secret)
      .update(JSON.stringify([via, name]))
      .digest('base64url');
  }

  /** That only some may look at it. */
  has(kind: PrivateKind, id: string): boolean {
    return this.#has.get(kind, id) !== undefined;
  }

  /** From now on they may look at it; and where nobody in particular might before, nobody else. */
  let(kind: PrivateKind, id: string, who: Maker): void {
    this.#let.run({ kind, id, ...keyOf(who) });
  }

  /** It is for all who may look at anything. */
  publish(kind: PrivateKind, id: string): void {
    this.#drop.run(kind, id);
  }

  /** Ids of what is private to whomever. */
  all(kind: PrivateKind): ReadonlySet<string> {
    return this.unseen(kind, NOBODY);
  }

  /** Ids of what is kept from them. */
  unseen(kind: PrivateKind, eyes: Eyes): ReadonlySet<string> {
    if (eyes === 'all' || this.#any.get() === undefined) return NONE;
    return new Set(Ids.parse(this.#unseen[kind].all(keyOf(eyes))));
  }

  isUnseen(kind: PrivateKind | 'run', id: string, eyes: Eyes): boolean {
    if (eyes === 'all' || this.#any.get() === undefined) return false;
    const asked = kind === 'run' ? this.#runIsUnseen : this.#isUnseen[kind];
    return asked.get({ id, ...keyOf(eyes) }) === 1;
  }

  /** The newest experiment with this run that they may look at; null: there is none. */
  experimentOf(run: string, eyes: Maker): string | null {
    return (
      z
        .string()
        .nullish()
        .parse(this.#ofRun.get({ id: run, ...keyOf(eyes) })) ?? null
    );
  }
}
