import { EngineListing } from '#protocol/cca';
import { bpfWords, type BpfObject } from './bpf.ts';
import { oneShot, ProgramFailed } from './one-shot.ts';
import { quicCcas } from './quic-ccas.ts';

/**
 * The engine's CCAs and queue disciplines, as the native programs know them, those that the operator has compiled, and those of other
 * stacks that can be used here.
 */
export async function listCcas(bpf: readonly BpfObject[] = []): Promise<EngineListing> {
  const { code, stdout, stderr } = await oneShot('paceline-list', bpfWords(bpf));
  if (code !== 0) throw new ProgramFailed(`paceline-list: ${stderr}`);
  const listing = EngineListing.parse(JSON.parse(stdout));
  const quic = await quicCcas(listing);
  if (quic.ccas === null)
    return { ...listing, unavailable: [...listing.unavailable, { kind: 'quic', reason: quic.unavailable }] };
  return { ...listing, ccas: [...listing.ccas, ...quic.ccas] };
}
