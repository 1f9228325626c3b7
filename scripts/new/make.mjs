import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { KINDS } from './kinds.mjs';

const TEMPLATES = `${ROOT}/scripts/new/templates`;
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const LONGEST = 40;

/** The name as the file systems, C++ and people write it.
 * @param {string} name */
function spellings(name) {
  const words = name.split('-');
  const capital = (/** @type {string} */ word) => word.charAt(0).toUpperCase() + word.slice(1);
  return {
    dashed: name,
    underscored: words.join('_'),
    camel: words.map(capital).join(''),
    words: words.map((word, i) => (i === 0 ? capital(word) : word)).join(' '),
  };
}

/**
 * The files of a new thing, by their places below the project's root. Throws an Error that says what is wrong with a kind or a name.
 * @param {string} kind
 * @param {string} name
 * @returns {Map<string, string>}
 */
export function filesOf(kind, name) {
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (known === undefined) throw new Error(`there is no kind "${kind}": it is one of ${Object.keys(KINDS).join(', ')}`);
  if (!NAME.test(name) || name.length > LONGEST)
    throw new Error(
      `"${name}" cannot be a name: lower-case words of letters and digits joined by "-", at most ${LONGEST} characters (my-idea)`,
    );
  const { dashed, underscored, camel, words } = spellings(name);
  const filled = (/** @type {string} */ text) =>
    text
      .replaceAll(/"Foo"|'Foo'|# Foo$/gm, (label) => label.replace('Foo', words))
      .replaceAll(/"foo"|'foo'|run-foo/g, (id) => id.replace('foo', dashed))
      .replaceAll('Foo', camel)
      .replaceAll('foo', underscored);
  const placed = (/** @type {string} */ path) => path.replace('foo_bar', underscored).replace('foo-bar', dashed);
  return new Map(
    Object.entries(known.files).map(([template, path]) => [
      placed(path),
      filled(readFileSync(`${TEMPLATES}/${template}`, 'utf8')),
    ]),
  );
}

/**
 * Writes them, all or none: what is there is never written over.
 * @param {string} kind
 * @param {string} name
 * @param {string} [root] the project's, or that of a copy
 * @returns {string[]} their paths below it
 */
export function make(kind, name, root = ROOT) {
  const files = filesOf(kind, name);
  for (const path of files.keys())
    if (existsSync(`${root}/${path}`)) throw new Error(`${path} is there already: choose another name`);
  for (const [path, text] of files) {
    mkdirSync(dirname(`${root}/${path}`), { recursive: true });
    writeFileSync(`${root}/${path}`, text, { flag: 'wx' });
  }
  return [...files.keys()];
}
