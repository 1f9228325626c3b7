import { z } from 'zod';
import { ACCESS_LIMITS, Deed, TokenRecord, UserRecord } from '#protocol/access';
import type { Db } from './database.ts';

const USER_COLUMNS = Object.keys(UserRecord.shape).join(', ');
const COLUMNS = Object.keys(TokenRecord.shape).join(', ');
/** So many more are kept before the oldest go: not at every deed. */
const SLACK = 1000;

/** Tokens by their hashes, persons by their names, and what was done. */
export class AccessStore {
  readonly #insert;
  readonly #list;
  readonly #byHash;
  readonly #byId;
  readonly #used;
  readonly #remove;
  readonly #expire;
  readonly #users;
  readonly #user;
  readonly #setUser;
  readonly #seen;
  readonly #removeUser;
  readonly #note;
  readonly #forget;
  readonly #deeds;

  constructor(db: Db) {
    this.#insert = db.prepare(
      `INSERT INTO tokens (${COLUMNS}, hash) VALUES (@id, @name, @role, @created_at, @expires_at, @used_at, @hash)`,
    );
    this.#list = db.prepare(`SELECT ${COLUMNS} FROM tokens ORDER BY rowid`);
    this.#byHash = db.prepare(`SELECT ${COLUMNS} FROM tokens WHERE hash = ?`);
    this.#byId = db.prepare(`SELECT ${COLUMNS} FROM tokens WHERE id = ?`);
    this.#used = db.prepare('UPDATE tokens SET used_at = ? WHERE id = ?');
    this.#remove = db.prepare('DELETE FROM tokens WHERE id = ?');
    this.#expire = db.prepare('DELETE FROM tokens WHERE expires_at <= ?');
    this.#users = db.prepare(`SELECT ${USER_COLUMNS} FROM users ORDER BY name`);
    this.#user = db.prepare(`SELECT ${USER_COLUMNS} FROM users WHERE name = ?`);
    this.#setUser = db.prepare(
      `INSERT INTO users (${USER_COLUMNS}) VALUES (@name, @role, @set_at, @seen_at)
       ON CONFLICT DO UPDATE SET role = excluded.role, set_at = excluded.set_at`,
    );
    this.#seen = db.prepare('UPDATE users SET seen_at = ? WHERE name = ?');
    this.#removeUser = db.prepare('DELETE FROM users WHERE name = ?');
    this.#note = db.prepare(
      'INSERT INTO deeds (at, by, via, role, what, status) VALUES (@at, @by, @via, @role, @what, @status)',
    );
    this.#forget = db.prepare('DELETE FROM deeds WHERE n <= ?');
    this.#deeds = db.prepare(
      'SELECT n, at, by, via, role, what, status FROM deeds WHERE n < ? ORDER BY n DESC LIMIT ?',
    );
  }

  insert(record: TokenRecord, hash: string): void {
    this.#insert.run({ ...record, hash });
  }

  /** In the order in which they were made. */
  list(): TokenRecord[] {
    return z.array(TokenRecord).parse(this.#list.all());
  }

  byHash(hash: string): TokenRecord | null {
    return TokenRecord.nullish().parse(this.#byHash.get(hash)) ?? null;
  }

  byId(id: string): TokenRecord | null {
    return TokenRecord.nullish().parse(this.#byId.get(id)) ?? null;
  }

  used(id: string, day: string): void {
    this.#used.run(day, id);
  }

  remove(id: string): void {
    this.#remove.run(id);
  }

  removeExpired(at: string): void {
    this.#expire.run(at);
  }

  /** By their names. */
  users(): UserRecord[] {
    return z.array(UserRecord).parse(this.#users.all());
  }

  user(name: string): UserRecord | null {
    return UserRecord.nullish().parse(this.#user.get(name)) ?? null;
  }

  /** When somebody whose role is set again was last there stays. */
  setUser(user: UserRecord): void {
    this.#setUser.run(user);
  }

  seen(name: string, day: string): void {
    this.#seen.run(day, name);
  }

  removeUser(name: string): void {
    this.#removeUser.run(name);
  }

  note(deed: Omit<Deed, 'n'>): void {
    const n = Number(this.#note.run(deed).lastInsertRowid);
    if (n % SLACK === 0) this.#forget.run(n - ACCESS_LIMITS.deeds);
  }

  /** The newest first. */
  deeds(before: number | undefined, limit: number): Deed[] {
    return z.array(Deed).parse(this.#deeds.all(before ?? Number.MAX_SAFE_INTEGER, limit));
  }
}
