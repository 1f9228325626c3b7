import { EngineListing } from '#protocol/cca';
import { oneShot, ProgramFailed } from './one-shot.ts';
import { quicCcas } from './quic-ccas.ts';

/** The engine's CCAs and queue disciplines, as the native programs know them, and those of other stacks that can be used here. */
export async function listCcas(): Promise<EngineListing> {
  const { code, stdout, stderr } = await oneShot('paceline-list', []);
  if (code !== 0) throw new ProgramFailed(`paceline-list: ${stderr}`);
  const listing = EngineListing.parse(JSON.parse(stdout));
  const quic = await quicCcas(listing);
  if (quic.ccas === null)
    return { ...listing, unavailable: [...listing.unavailable, { kind: 'quic', reason: quic.unavailable }] };
  return { ...listing, ccas: [...listing.ccas, ...quic.ccas] };
}
