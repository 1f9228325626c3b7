// What an own algorithm goes by: its text's hash, and the beginning of it in specs, manifests and links.
import { z } from 'zod';

/** Whose text: the SHA-256 of its bytes. */
export const ProgramId = z.string().regex(/^[0-9a-f]{64}$/);

const HASH_DIGITS = 40;
const OWN_CCA = /^own-[0-9a-f]{40}$/;

/** As specs and manifests name it, and links. */
export const OwnCcaId = z.string().regex(OWN_CCA);
export const ownCcaId = (program: string): string => `own-${program.slice(0, HASH_DIGITS)}`;
export const isOwnCca = (id: string): boolean => OWN_CCA.test(id);
