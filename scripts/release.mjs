/**
 * `npm run release -- minor|major|patch|X.Y.Z`: stamps the version wherever one is named, closes the changelog's section, makes what is
 * generated anew, commits and tags. It pushes and publishes nothing: it says how.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { ROOT } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { nextVersion, released, STAMPED } from './release/stamp.mjs';

/** @param {readonly string[]} words */
const git = async (...words) => (await run('git', words, { cwd: ROOT })).trim();
const read = (/** @type {string} */ file) => readFileSync(`${ROOT}/${file}`, 'utf8');

const [wanted, ...more] = process.argv.slice(2);
if (wanted === undefined || more.length > 0) {
  console.error('Usage: npm run release -- major|minor|patch|X.Y.Z');
  process.exit(2);
}
try {
  if ((await git('status', '--porcelain')) !== '') throw new Error('there are changes that are not committed');
  const version = nextVersion(JSON.parse(read('package.json')).version, wanted);
  const tag = `v${version}`;
  if ((await git('tag', '--list', tag)) !== '') throw new Error(`there is a tag ${tag} already`);
  const day = new Date().toISOString().slice(0, 10);
  // All of them before any is written: a file without its place is found first.
  const texts = Object.entries(STAMPED).map(([file, stamp]) => ({ file, text: stamp(read(file), version) }));
  texts.push({ file: 'CHANGELOG.md', text: released(read('CHANGELOG.md'), version, day) });
  for (const { file, text } of texts) writeFileSync(`${ROOT}/${file}`, text);
  await run('npm', ['run', '--silent', 'generate'], { cwd: ROOT });
  await git('commit', '--quiet', '--all', '--message', `Version ${version}`);
  await git('tag', '--annotate', tag, '--message', `Paceline ${version}`);
  console.log(`${tag} is committed and tagged here. Next:
  npm test
  npm run pack -- --deb
  git push --follow-tags
  npm publish build/packages/paceline-linux-x64-${version}.tgz && npm publish build/packages/paceline-${version}.tgz`);
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
