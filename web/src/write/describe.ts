// What a text says of itself, read in a worker of this page: it is run there as far as its top level, and nowhere else.
import type { OwnDescription } from '#protocol/own-algorithm';
import { theEngines } from '../engine/engines';

/** Rejects with EngineMissing where there is none. */
export async function describe(text: string): Promise<OwnDescription> {
  return (await theEngines()).describe(text);
}
