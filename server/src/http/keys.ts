import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { SettingStore } from '../store/settings.ts';

const SESSIONS = 'sessions';
const LIFETIME_S = 30 * 24 * 3600;
/** Browsers that are remembered; the oldest has to show the token again. */
const MOST = 64;

const Sessions = z.array(z.object({ hash: z.string(), until: z.number() }));

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
 * The token, and the browsers that have shown it. What is stored are hashes of secrets that only these browsers have: who reads the data
 * folder gets in nowhere. They outlive a restart, and with it a token that is drawn at each start, but not another token of the operator.
 */
export class Keys {
  readonly #token: Buffer;
  readonly #era: string;
  readonly #settings: SettingStore;
  #sessions: z.infer<typeof Sessions>;

  /** `chosen`: the operator's own token; else one that was drawn for this start. */
  constructor(token: string, chosen: boolean, settings: SettingStore) {
    this.#token = digest(token);
    this.#era = chosen ? token : '';
    this.#settings = settings;
    this.#sessions = settings.get(SESSIONS, Sessions) ?? [];
  }

  fits(token: string): boolean {
    return timingSafeEqual(digest(token), this.#token);
  }

  admit(headers: IncomingHttpHeaders): boolean {
    const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined) return this.fits(bearer);
    const secret = cookie(headers);
    if (secret === undefined) return false;
    const hash = this.#hashOf(secret);
    return this.#sessions.some((session) => session.hash === hash && session.until > Date.now());
  }

  /** Remembers a browser: its cookie. */
  remember({ host = '' }: IncomingHttpHeaders, secure: boolean): string {
    const secret = newToken();
    const session = { hash: this.#hashOf(secret), until: Date.now() + LIFETIME_S * 1000 };
    this.#sessions = [session, ...this.#sessions.filter(({ until }) => until > Date.now())].slice(0, MOST);
    try {
      this.#settings.set(SESSIONS, this.#sessions);
    } catch {
      // On a full disk the browser is known until the next start.
    }
    const marks = `Path=/; Max-Age=${LIFETIME_S}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
    return `${cookieName(host)}=${secret}; ${marks}`;
  }

  /** A secret has 256 random bits: a fast hash cannot be guessed back, whatever the operator's token is worth. */
  #hashOf(secret: string): string {
    return digest(`${this.#era}\n${secret}`).toString('base64url');
  }
}
