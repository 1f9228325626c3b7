// Where a webhook may go. Who may set it need not own the networks that this machine is in: it goes to public addresses, and elsewhere only
// where the operator has said so.
import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { hostName } from '../http/hosts.ts';

/** Not for everybody: this machine, its networks, links (clouds tell secrets at 169.254.169.254), and what stands for such addresses. */
const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(net, prefix, 'ipv6');

/** `::ffff:10.0.0.1` is 10.0.0.1. */
export const isPublic = (address: string): boolean => {
  const family = isIP(address);
  return family !== 0 && !PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4');
};

/** Names and addresses that the operator allows; `*`: all. */
export type AllowedTargets = readonly string[];

const isAllowed = (name: string, allowed: AllowedTargets): boolean => allowed.includes('*') || allowed.includes(name);

/** An address as it is kept, or why it cannot be one. */
export function readAddress(
  text: string,
  allowed: AllowedTargets,
): { readonly url: string } | { readonly fault: string } {
  if (!URL.canParse(text)) return { fault: 'this is no address: it begins with https:// or http://' };
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { fault: `${url.protocol} is not spoken: it begins with https:// or http://` };
  if (url.username !== '' || url.password !== '') return { fault: 'a name and a password cannot be in it' };
  url.hash = '';
  const name = hostName(url.host) ?? '';
  if (isIP(name) !== 0 && !isPublic(name) && !isAllowed(name, allowed)) return { fault: notPublic(name) };
  return { url: url.href };
}

const notPublic = (what: string): string =>
  `${what} is not a public address; who runs the server can allow it with --allow-webhook`;

/** Looks a name up and takes the first address that it may go to: what is connected to is what was checked. */
export const lookupWithin =
  (allowed: AllowedTargets, find: typeof resolve = resolve): LookupFunction =>
  (name, options, answer) => {
    find(name, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        answer(error, '', 0);
        return;
      }
      const may = found.filter(({ address }) => isAllowed(name, allowed) || isPublic(address));
      const [first] = may;
      if (first === undefined) answer(new Error(notPublic(`${name} (${found[0]?.address ?? 'nothing'})`)), '', 0);
      else if (options.all === true) answer(null, may);
      else answer(null, first.address, first.family);
    });
  };
