import { readFileSync } from 'node:fs';
import { contentSecurityPolicy } from './static.ts';

const STYLE = readFileSync(new URL('plain-page.css', import.meta.url), 'utf8');

/** A page of the server's own, which needs no build: one file, with what it has in common with the others of its kind put in. */
export function plainPage(file: URL): { readonly html: string; readonly policy: string } {
  const html = readFileSync(file, 'utf8').replace('/* {{style}} */', () => STYLE);
  return { html, policy: contentSecurityPolicy(html) };
}
