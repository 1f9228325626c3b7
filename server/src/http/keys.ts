import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { TokenId, type Role, type TokenRecord, type Via } from '#protocol/access';
import type { Access } from '../access.ts';
import type { SettingStore } from '../store/settings.ts';

const SESSIONS = 'sessions';
const LIFETIME_S = 30 * 24 * 3600;
/** Browsers that are remembered with the operator's token, and with each other; the oldest has to show it again. */
const MOST = { operator: 64, other: 8 } as const;

/** `token`: the one it has shown; absent: the operator's. */
const Sessions = z.array(z.object({ hash: z.string(), until: z.number(), token: TokenId.optional() }));

/** Whoever asks. */
export interface Holder {
  /** Of their token; absent: the operator's. */
  readonly id?: string;
  /** Null: the operator's own token, or none is asked for. */
  readonly name: string | null;
  readonly role: Role;
  /** Null: this server asks nobody. */
  readonly via: Via | null;
}

const OPERATOR: Holder = { name: null, role: 'operator', via: 'token' };
/** Where nobody is asked. */
export const ANYBODY: Holder = { name: null, role: 'operator', via: null };

const holderOf = (record: TokenRecord | null): Holder | null =>
  record === null ? null : { id: record.id, name: record.name, role: record.role, via: 'token' };

export const newToken = (): string => randomBytes(32).toString('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Cookies know no ports, and a machine may have several laboratories. */
const cookieName = (host: string): string => `paceline_${/:(\d+)$/.exec(host)?.[1] ?? ''}`;

function cookie({ cookie = '', host = '' }: IncomingHttpHeaders): string | undefined {
  const start = `${cookieName(host)}=`;
  return cookie
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start))
    ?.slice(start.length);
}

/**
 * The operator's token, those of others, and the browsers that have shown one. What is stored are hashes of secrets that only these browsers have: who reads the data
 * folder gets in nowhere. They outlive a restart, and with it a token that is drawn at each start, but not another token of the operator.
 */
export class Keys {
  readonly #token: Buffer;
  readonly #era: string;
  readonly #settings: SettingStore;
  readonly #access: Access;
  #sessions: z.infer<typeof Sessions>;

  /** `chosen`: the operator's own token; else one that was drawn for this start. */
  constructor(token: string, chosen: boolean, settings: SettingStore, access: Access) {
    this.#token = digest(token);
    this.#era = chosen ? token : '';
    this.#settings = settings;
    this.#access = access;
    this.#sessions = settings.get(SESSIONS, Sessions) ?? [];
  }

  /** Whose token it is; null: nobody's. */
  holder(token: string): Holder | null {
    return timingSafeEqual(digest(token), this.#token) ? OPERATOR : holderOf(this.#access.holder(token));
  }

  /** Who asks; null: somebody without a token that holds. */
  caller(headers: IncomingHttpHeaders): Holder | null {
    const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined) return this.holder(bearer);
    const secret = cookie(headers);
    if (secret === undefined) return null;
    const hash = this.#hashOf(secret);
    const session = this.#sessions.find((one) => one.hash === hash && one.until > Date.now());
    if (session === undefined) return null;
    return session.token === undefined ? OPERATOR : holderOf(this.#access.holderOf(session.token));
  }

  /** Remembers a browser: its cookie. */
  remember({ id, name, role }: Holder, { host = '' }: IncomingHttpHeaders, secure: boolean): string {
    const secret = newToken();
    const session = {
      hash: this.#hashOf(secret),
      until: Date.now() + LIFETIME_S * 1000,
      ...(id === undefined ? {} : { token: id }),
    };
    const isOwn = ({ token }: { readonly token?: string | undefined }): boolean => token === id;
    const holds = this.#sessions.filter(
      ({ until, token }) => until > Date.now() && (token === undefined || this.#access.holds(token)),
    );
    const own = [session, ...holds.filter(isOwn)].slice(0, id === undefined ? MOST.operator : MOST.other);
    this.#sessions = [...own, ...holds.filter((other) => !isOwn(other))];
    this.#keep();
    this.#note(name, role);
    const marks = `Path=/; Max-Age=${LIFETIME_S}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
    return `${cookieName(host)}=${secret}; ${marks}`;
  }

  /** Forgets a browser: a cookie that is over. */
  forget(headers: IncomingHttpHeaders): string {
    const hash = this.#hashOf(cookie(headers) ?? '');
    const others = this.#sessions.filter((session) => session.hash !== hash);
    // Nothing is written for who was not known.
    if (others.length < this.#sessions.length) {
      this.#sessions = others;
      this.#keep();
    }
    return `${cookieName(headers.host ?? '')}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`;
  }

  #keep(): void {
    try {
      this.#settings.set(SESSIONS, this.#sessions);
    } catch {
      // On a full disk a browser is known until the next start.
    }
  }

  #note(by: string | null, role: Role): void {
    try {
      this.#access.note({ by, via: 'token', role, what: 'signed in', status: 303 });
    } catch {
      // On a full disk they come in all the same.
    }
  }

  /** A secret has 256 random bits: a fast hash cannot be guessed back, whatever the operator's token is worth. */
  #hashOf(secret: string): string {
    return digest(`${this.#era}\n${secret}`).toString('base64url');
  }
}
