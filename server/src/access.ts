// Tokens for persons and programs: made, shown once, found again by their hash, taken back; and what persons may whom a proxy names.
import { createHash, randomBytes } from 'node:crypto';
import {
  ACCESS_LIMITS,
  type Deed,
  type MadeToken,
  type NewToken,
  type SetUser,
  type TokenRecord,
  type UserRecord,
  type UserRole,
} from '#protocol/access';
import { AppError } from './errors.ts';
import type { AccessStore } from './store/access.ts';

const DAY_MS = 24 * 3600 * 1000;
const ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Whoever finds one in a log or a repository knows what it is. */
const PREFIX = 'paceline_';

/** Of 256 random bits: a fast hash cannot be guessed back. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

const newId = (): string => Array.from(randomBytes(12), (byte) => ID_LETTERS.charAt(byte % ID_LETTERS.length)).join('');

export class Access {
  readonly #store: AccessStore;
  /** Milliseconds since 1970. */
  readonly #now: () => number;

  constructor(store: AccessStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  #at(days = 0): string {
    return new Date(this.#now() + days * DAY_MS).toISOString();
  }

  /** Those that hold, in the order in which they were made. */
  list(): TokenRecord[] {
    this.#store.removeExpired(this.#at());
    return this.#store.list();
  }

  add({ name, role, days }: NewToken): MadeToken {
    const there = this.list();
    if (there.length >= ACCESS_LIMITS.tokens)
      throw new AppError('TOKEN_REFUSED', `there are ${there.length} tokens already`, {
        hint: 'Revoke some that nobody needs.',
      });
    if (there.some((other) => other.name.toLowerCase() === name.toLowerCase()))
      throw new AppError('TOKEN_REFUSED', `there is a token called ${name} already`, {
        hint: 'Revoke it first, or give this one another name: what was done is told by names.',
      });
    const record: TokenRecord = {
      id: newId(),
      name,
      role,
      created_at: this.#at(),
      expires_at: this.#at(days),
      used_at: null,
    };
    const token = PREFIX + randomBytes(32).toString('base64url');
    this.#store.insert(record, hashOf(token));
    return { ...record, token };
  }

  /** Whose token it is; null: nobody's, or it holds no more. */
  holder(token: string): TokenRecord | null {
    return token.startsWith(PREFIX) ? this.#holding(this.#store.byHash(hashOf(token))) : null;
  }

  /** Of a browser that has shown it once. */
  holderOf(id: string): TokenRecord | null {
    return this.#holding(this.#store.byId(id));
  }

  /** Whether it still is anybody's. */
  holds(id: string): boolean {
    const record = this.#store.byId(id);
    return record !== null && record.expires_at > this.#at();
  }

  #holding(record: TokenRecord | null): TokenRecord | null {
    if (record === null || record.expires_at <= this.#at()) return null;
    const day = this.#at().slice(0, 10);
    if (record.used_at === day) return record;
    try {
      this.#store.used(record.id, day);
    } catch {
      // On a full disk nobody knows when it was used.
    }
    return { ...record, used_at: day };
  }

  /** @returns as it was */
  revoke(id: string): TokenRecord {
    const record = this.#store.byId(id);
    if (record === null) throw new AppError('TOKEN_UNKNOWN', id);
    this.#store.remove(id);
    return record;
  }

  /** Of whom the operator has said what they may, by name. */
  users(): UserRecord[] {
    return this.#store.users();
  }

  setUser({ name, role }: SetUser): UserRecord {
    const known = this.#store.user(name);
    if (known === null && this.#store.users().length >= ACCESS_LIMITS.users)
      throw new AppError('TOO_MANY_USERS', `the roles of ${ACCESS_LIMITS.users} persons are set already`, {
        hint: 'Remove some that do not come any more.',
      });
    const record = { name, role, set_at: this.#at(), seen_at: known?.seen_at ?? null };
    this.#store.setUser(record);
    return record;
  }

  /** From then on they are what everybody is of whom nothing is said. @returns as it was */
  removeUser(name: string): UserRecord {
    const record = this.#store.user(name);
    if (record === null) throw new AppError('USER_UNKNOWN', name);
    this.#store.removeUser(name);
    return record;
  }

  /** What somebody may who has come; null: nothing is said of them. */
  roleOf(name: string): UserRole | null {
    const record = this.#store.user(name);
    if (record === null) return null;
    const day = this.#at().slice(0, 10);
    try {
      if (record.seen_at !== day) this.#store.seen(name, day);
    } catch {
      // On a full disk nobody knows when they came.
    }
    return record.role;
  }

  note(deed: Omit<Deed, 'n' | 'at'>): void {
    this.#store.note({ ...deed, at: this.#at() });
  }

  /** The newest first. */
  deeds(before: number | undefined, limit: number): Deed[] {
    return this.#store.deeds(before, limit);
  }
}
