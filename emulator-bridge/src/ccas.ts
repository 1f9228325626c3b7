import { EngineListing } from '#protocol/cca';
import { oneShot, ProgramFailed } from './one-shot.ts';

/** The engine's CCAs and queue disciplines, as the native programs know them. */
export async function listCcas(): Promise<EngineListing> {
  const { code, stdout, stderr } = await oneShot('paceline-list', []);
  if (code !== 0) throw new ProgramFailed(`paceline-list: ${stderr}`);
  return EngineListing.parse(JSON.parse(stdout));
}
