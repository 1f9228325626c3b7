// Whom a proxy names that stands in front (--trusted-proxy): believed of the addresses that the operator trusts, and of nobody else.
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Logger } from 'pino';
import { UserName } from '#protocol/access';
import { AppError } from '../errors.ts';

export interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** By what `isIP` says. */
const FAMILIES: Readonly<Record<number, Network['family']>> = { 4: 'ipv4', 6: 'ipv6' };
const BITS = { ipv4: 32, ipv6: 128 } as const;
/** Wider ones are no proxies: everybody would be believed. */
const LEAST_BITS = { ipv4: 8, ipv6: 16 } as const;
/** Before an address of IPv4, as a socket of both kinds tells it. */
const MAPPED = /^::ffff:/i;

const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** `192.0.2.7`, `10.1.0.0/16`, `2001:db8::/64`; null: it is none. */
export function networkOf(text: string): Network | null {
  const [, written = '', , digits] = /^([^/%]+)(\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = plainAddress(written);
  const kind = FAMILIES[isIP(address)];
  // A network of such addresses is to be written as one of IPv4.
  if (kind === undefined || MAPPED.test(address) || (address !== written && digits !== undefined)) return null;
  const bits = digits === undefined ? BITS[kind] : Number(digits);
  return bits < LEAST_BITS[kind] || bits > BITS[kind] ? null : { address, bits, family: kind };
}

/** Who sends the header from elsewhere is told to the log, so many of them in this time: a log is not theirs to fill. */
const TOLD = { most: 20, ms: 60_000 } as const;

/** Header values come as Latin-1; null: what was sent is not UTF-8. */
function decoded(value: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return null;
  }
}

/** What a proxy has to drop on its way, as `Connection` lists it. */
const isHopByHop = (req: IncomingMessage, header: string): boolean =>
  (req.headers.connection ?? '').split(',').some((name) => name.trim().toLowerCase() === header);

export class Proxies {
  /** Apart: no network of IPv6 is to hold addresses of IPv4. */
  readonly #trusted = { ipv4: new BlockList(), ipv6: new BlockList() };
  readonly #header: string;
  readonly #log: Logger;
  #told = { since: -Infinity, peers: new Set<string>() };

  /** @param header in lower case */
  constructor(networks: readonly Network[], header: string, log: Logger) {
    for (const { address, bits, family } of networks) this.#trusted[family].addSubnet(address, bits, family);
    this.#header = header;
    this.#log = log;
  }

  /** The name that a trusted proxy says; null: none says any. An error: what it says can be no name. */
  nameIn(req: IncomingMessage): string | AppError | null {
    const given = req.headersDistinct[this.#header];
    if (given === undefined) return null;
    const peer = req.socket.remoteAddress ?? '';
    if (!this.#trusts(peer)) {
      this.#tell(peer);
      return null;
    }
    const [value = '', ...more] = given;
    if (more.length > 0) return this.#refused(`it came ${given.length} times`);
    if (isHopByHop(req, this.#header)) return this.#refused('Connection lists it');
    if (value.trim() === '') return null;
    const name = UserName.safeParse(decoded(value));
    return name.success ? name.data : this.#refused(name.error.issues[0]?.message ?? 'it is not UTF-8');
  }

  /** By the socket: what a request says of where it comes from is anybody's word. */
  #trusts(peer: string): boolean {
    const address = plainAddress(peer);
    const family = FAMILIES[isIP(address)];
    // Of a link-local address with its zone another network may have the same.
    return family !== undefined && !address.includes('%') && this.#trusted[family].check(address, family);
  }

  #refused(why: string): AppError {
    return new AppError('USER_HEADER_INVALID', `${this.#header}: ${why}`, {
      hint: 'The proxy must set this header itself, once, and drop what its clients send under the same name.',
    });
  }

  #tell(peer: string): void {
    const now = performance.now();
    if (now - this.#told.since > TOLD.ms) this.#told = { since: now, peers: new Set() };
    const { peers } = this.#told;
    if (peer === '' || peers.has(peer) || peers.size >= TOLD.most) return;
    peers.add(peer);
    this.#log.warn(
      { peer, header: this.#header },
      'not believed: a user header from an address that is no trusted proxy',
    );
  }
}
