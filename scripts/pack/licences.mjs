import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';

/** What a package says of its terms. @param {string} folder */
function terms(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

/** A file of a package within node_modules, as its folder. @param {string} file */
const folderOf = (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

/** @param {string} folder @returns {readonly string[]} it, and the packages that it needs, and those that these need */
function needs(folder, seen = new Set()) {
  if (seen.has(folder)) return [];
  seen.add(folder);
  const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const found = Object.keys(dependencies).flatMap((name) => {
    const places = [`${folder}/node_modules/${name}`, `node_modules/${name}`];
    const place = places.find((one) => existsSync(join(ROOT, one, 'package.json')));
    return place === undefined ? [] : needs(place, seen);
  });
  return [folder, ...found];
}

/**
 * The terms of all packages whose code is part of a file of ours: many want their text to come along.
 * @param {readonly string[]} files of packages, from the checkout's root
 * @param {readonly string[]} pages packages that the page is made of, which does not say which of their files it took
 */
export function licences(files, pages) {
  const bundled = files.flatMap((file) => folderOf(file) ?? []);
  const folders = new Set([...bundled, ...pages.flatMap((name) => needs(`node_modules/${name}`))]);
  return [...folders]
    .sort()
    .map((folder) => terms(join(ROOT, folder)))
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}
