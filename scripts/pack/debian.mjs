import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { emptyStage } from './packed.mjs';

const ARCHITECTURES = /** @type {Readonly<Record<string, string>>} */ ({ x64: 'amd64', arm64: 'arm64' });
const HOME = '/usr/lib/paceline';
const INSTALLED = `${HOME}/node_modules/paceline`;

/** What the programs are linked with; the second of two is its name since time has 64 bits everywhere. */
const DEPENDS = [
  'nodejs (>= 20.19)',
  'libc6 (>= 2.36)',
  'libstdc++6 (>= 12)',
  'libbpf1',
  'libpcap0.8t64 | libpcap0.8',
  'libssl3t64 | libssl3',
  'libzstd1',
  'zlib1g',
  'passwd',
];
/** For runs over TUN, and for figures. */
const RECOMMENDS = ['iproute2', 'chromium-headless-shell | chromium'];

/** A unit of deploy/systemd, of a checkout in /opt, as one of the package. @param {string} text */
const asInstalled = (text) =>
  text
    .replaceAll('/usr/bin/node bin/paceline.mjs', '/usr/bin/paceline')
    .replaceAll('WorkingDirectory=/opt/paceline', `WorkingDirectory=${HOME}`)
    .replaceAll('/opt/paceline/docs', `${INSTALLED}/docs`);

/** @param {string} file @param {string} text @param {number} [mode] */
function write(file, text, mode = 0o644) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

/**
 * Both packages and what they depend on as one for apt.
 * @param {readonly string[]} packages their files
 * @param {string} out
 * @param {{ effort?: number }} [how] `effort`: of the compressor, from 0 to 9; nine tenths of the time goes there
 * @returns {Promise<string>} the file
 */
export async function debianPackage(packages, out, { effort = 6 } = {}) {
  const { version, description } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  const stage = emptyStage('debian');
  const home = join(stage, HOME);
  mkdirSync(home, { recursive: true });
  // Beside the checkout npm would take that for its root.
  const install = mkdtempSync(join(tmpdir(), 'paceline-deb-'));
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: install });
    cpSync(join(install, 'node_modules'), join(home, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  } finally {
    rmSync(install, { recursive: true, force: true });
  }
  rmSync(join(home, 'node_modules/.package-lock.json'));
  mkdirSync(join(stage, 'usr/bin'), { recursive: true });
  symlinkSync(`..${INSTALLED.slice('/usr'.length)}/bin/paceline.mjs`, join(stage, 'usr/bin/paceline'));
  const units = `${ROOT}/deploy/systemd`;
  for (const name of readdirSync(units))
    write(join(stage, 'usr/lib/systemd/system', name), asInstalled(readFileSync(join(units, name), 'utf8')));
  for (const name of ['LICENSE', 'NOTICE', 'CHANGELOG.md'])
    write(
      join(stage, 'usr/share/doc/paceline', name === 'LICENSE' ? 'copyright' : name),
      readFileSync(`${ROOT}/${name}`, 'utf8'),
    );
  const control = [
    'Package: paceline',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Maintainer: The Paceline authors <paceline@localhost>',
    'Section: net',
    'Priority: optional',
    `Depends: ${DEPENDS.join(', ')}`,
    `Recommends: ${RECOMMENDS.join(', ')}`,
    `Description: ${description}`,
    ' Serves a page in which traces, congestion-control algorithms and buffers are',
    ' chosen, run and compared, and offers the same from a terminal.',
    '',
  ];
  write(join(stage, 'DEBIAN/control'), control.join('\n'));
  write(join(stage, 'DEBIAN/postinst'), POSTINST, 0o755);
  const file = join(out, `paceline_${version}_${architecture}.deb`);
  await run('dpkg-deb', ['--root-owner-group', '-Zxz', `-z${effort}`, '--build', stage, file]);
  return file;
}

/** The user that the units name; none of them is started before somebody wants it (docs/group-server.md). */
const POSTINST = `#!/bin/sh
set -e
getent passwd paceline > /dev/null ||
  useradd --system --home-dir /var/lib/paceline --shell /usr/sbin/nologin paceline
`;
