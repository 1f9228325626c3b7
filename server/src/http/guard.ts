import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import { Framing } from './framing.ts';
import type { Hosts, Scheme } from './hosts.ts';
import { ANYBODY, type Holder, type Keys } from './keys.ts';
import type { Persons } from './persons.ts';

/** A link on another site's page that somebody follows: permalinks are for that. Inside that page figures are shown, if the operator allows it. */
const isFollowedLink = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

/** The same server, scheme and port included. */
function isOrigin(origin: string, schemes: readonly Scheme[], host: string): boolean {
  try {
    return schemes.some((scheme) => new URL(origin).origin === new URL(`${scheme}://${host}`).origin);
  } catch {
    // `null` and whatever else is no origin of ours
    return false;
  }
}

/** Who may use the server: requests to its own names, from its own pages, and where it asks for a token from who has it. */
export class Guard {
  readonly hosts: Hosts;
  /** Null: whoever reaches the server may use it. */
  readonly keys: Keys | null;
  /** Null: it believes no proxy. */
  readonly persons: Persons | null;
  readonly framing: Framing;

  constructor(hosts: Hosts, keys: Keys | null, framing = new Framing(), persons: Persons | null = null) {
    this.hosts = hosts;
    this.keys = keys;
    this.framing = framing;
    this.persons = persons;
  }

  /** Why a request is none of a page of ours or of a program, whoever sends it; null when it may be. */
  strange(req: IncomingMessage): AppError | null {
    const { host = '', origin } = req.headers;
    const schemes = this.hosts.schemesOf(host);
    if (schemes.length === 0)
      return new AppError('HOST_REFUSED', `this server does not answer to ${JSON.stringify(host)}`, {
        hint: 'It answers to localhost, to the addresses it listens on, and to the names of --allow-host.',
      });
    if (origin !== undefined && !isOrigin(origin, schemes, host))
      return new AppError('ORIGIN_REFUSED', `pages of ${origin} may not use this server`, {
        ...(isOrigin(origin, ['https'], host) && {
          hint: `Behind a proxy that speaks TLS, start it with --allow-host ${origin}`,
        }),
      });
    const site = req.headers['sec-fetch-site'];
    if ((site === 'cross-site' || site === 'same-site') && !isFollowedLink(req) && !this.framing.isFrame(req))
      return new AppError('ORIGIN_REFUSED', 'pages of other sites may not use this server');
    return null;
  }

  /** Who asks, or why they may not. Whom a proxy names is nobody else, whatever token comes along. */
  who(req: IncomingMessage): Holder | AppError {
    if (this.keys === null) return ANYBODY;
    return (
      this.persons?.who(req) ??
      this.keys.caller(req.headers) ??
      new AppError('TOKEN_REQUIRED', 'this server answers to those who have a token', {
        hint: 'Open the address that the server printed at its start, or sign in with a token that its operator gave you; programs send `Authorization: Bearer <token>`.',
      })
    );
  }

  /** Who asks; null: somebody without what the server asks for. */
  caller(req: IncomingMessage): Holder | null {
    const who = this.who(req);
    return who instanceof AppError ? null : who;
  }

  /** Null when the request carries what the server asks for. */
  locked(req: IncomingMessage): AppError | null {
    const who = this.who(req);
    return who instanceof AppError ? who : null;
  }

  refusal(req: IncomingMessage): AppError | null {
    return this.strange(req) ?? this.locked(req);
  }
}
