import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../analysis/', import.meta.url);
let known: string | null = null;

/** What stored outcomes were made by: other code may come to others. */
export function analysisVersion(): string {
  if (known !== null) return known;
  const hash = createHash('sha256');
  for (const name of readdirSync(FOLDER).sort())
    if (name.endsWith('.ts') && !name.endsWith('.test.ts')) hash.update(readFileSync(new URL(name, FOLDER)));
  return (known = hash.digest('hex'));
}
