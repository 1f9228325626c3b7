/**
 * `npm run sbom [-- --out FILE]`: what the program is made of, as CycloneDX: npm's packages (npm sbom), the crates of the QUIC helper
 * (Cargo.lock) and the Debian packages that the native programs are linked with, as far as this machine has them from Debian. What is
 * built into Node.js and the toolchain itself are not in it. Standard output without --out.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { QUIC_SOURCE, ROOT } from './lib/paths.mjs';
import { debianLibraries } from './setup/packages.mjs';

const { values } = parseArgs({ options: { out: { type: 'string' } } });

/** @typedef {{ type: 'library', 'bom-ref': string, name: string, version: string, purl: string, hashes?: object[] }} Component */

/** @returns {{ components: Component[], metadata: { component: { name: string } } }} */
const npm = () =>
  JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );

/** @param {string} kind @param {string} name @param {string} version @returns {Component} */
function component(kind, name, version) {
  const purl = `pkg:${kind}/${name}@${encodeURIComponent(version)}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl };
}

/** @returns {Component[]} */
function crates() {
  const lock = readFileSync(`${QUIC_SOURCE}/Cargo.lock`, 'utf8');
  const found = lock.matchAll(/name = "(.+)"\nversion = "(.+)"\nsource = ".*"\nchecksum = "(.+)"/g);
  return [...found].map(([, name = '', version = '', content = '']) => ({
    ...component('cargo', name, version),
    hashes: [{ alg: 'SHA-256', content }],
  }));
}

/** @returns {Component[]} */
function debian() {
  return debianLibraries().flatMap((name) => {
    try {
      const said = execFileSync('dpkg-query', ['-W', '-f', '${Status}|${Version}', name], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [status, version] = said.split('|');
      return status === 'install ok installed' && version !== undefined ? [component('deb/debian', name, version)] : [];
    } catch {
      return []; // not there, or no Debian
    }
  });
}

const bom = npm();
bom.metadata.component.name = 'paceline';
bom.components.push(...crates(), ...debian());
const text = `${JSON.stringify(bom, null, 2)}\n`;
if (values.out === undefined) process.stdout.write(text);
else {
  writeFileSync(values.out, text);
  console.log(`${bom.components.length} components in ${values.out}`);
}
