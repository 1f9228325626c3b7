import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

export type Scheme = 'http' | 'https';

/** A name that the operator serves; `https`: through a proxy that speaks TLS. */
export interface AllowedHost {
  readonly scheme: Scheme;
  readonly name: string;
}

/** As browsers write it: `LAB.example:8080` -> `lab.example`, `[::1]:8080` -> `::1`. Null when it is no host. */
export function hostName(host: string): string | null {
  if (!/^[^\s/?#@\\]+$/.test(host)) return null;
  try {
    return new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, '$1');
  } catch {
    return null;
  }
}

export const isLoopback = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '::1' ||
  (isIP(name) === 4 && name.startsWith('127.'));

const isEverywhere = (address: string): boolean => address === '0.0.0.0' || address === '::';

const isOwnAddress = (name: string): boolean =>
  isIP(name) > 0 &&
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === name) ?? false);

/**
 * The names that are served. A name that anybody could let point here must be named by the operator: a page of another site would reach
 * the server under it (DNS rebinding). Addresses cannot be made to mean another machine.
 */
export class Hosts {
  readonly #listensOn: string;
  readonly #allowed: readonly AllowedHost[];
  readonly #own: Scheme;

  /** @param tls whether the server itself speaks TLS: then all its names do */
  constructor(listensOn: string, allowed: readonly AllowedHost[], tls = false) {
    this.#listensOn = hostName(listensOn.includes(':') ? `[${listensOn}]` : listensOn) ?? listensOn;
    this.#own = tls ? 'https' : 'http';
    this.#allowed = allowed.map(({ scheme, name }) => ({ scheme: tls ? 'https' : scheme, name }));
  }

  /** How the `Host` of a request may be spoken to; empty: not at all. */
  schemesOf(host: string | undefined): readonly Scheme[] {
    const name = hostName(host ?? '');
    if (name === null) return [];
    const schemes = this.#allowed.filter((allowed) => allowed.name === name).map(({ scheme }) => scheme);
    return this.#isOwn(name) ? [this.#own, ...schemes] : schemes;
  }

  /** Whether browsers take it for a place where nobody can listen in. */
  isTrustworthy(host: string | undefined): boolean {
    return isLoopback(hostName(host ?? '') ?? '') || !this.schemesOf(host).includes('http');
  }

  #isOwn(name: string): boolean {
    return isLoopback(name) || name === this.#listensOn || (isEverywhere(this.#listensOn) && isOwnAddress(name));
  }
}
