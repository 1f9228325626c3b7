// Asked by a journey whose run this machine did not keep up with, before it goes again: that nothing else of `npm test` works beside it.
import { rm, writeFile } from 'node:fs/promises';

/** Where `npm test` looks for the wish (scripts/test/quiet.mjs); whoever starts a journey alone has nothing else at work. */
const FILE = process.env['PACELINE_QUIET'];

export const askForQuiet = async (): Promise<void> => (FILE === undefined ? undefined : await writeFile(FILE, ''));
export const endQuiet = async (): Promise<void> => (FILE === undefined ? undefined : await rm(FILE, { force: true }));
