// NOTICE: what of others the program holds or is linked with, under which licence, and whose it is. From the lock files and the recordings'
// descriptions, so that it is the same on every machine.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Recording } from '#protocol/recording';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
    }),
  ),
});

/** Linked by the native programs, from the system's packages (scripts/setup/packages.mjs names those of Debian). */
const LIBRARIES = [
  ['nlohmann/json', 'MIT', 'Copyright (c) Niels Lohmann'],
  [
    'CLI11',
    'BSD-3-Clause',
    'Copyright (c) University of Cincinnati, developed by Henry Schreiner under NSF AWARD 1414736',
  ],
  ['zlib', 'Zlib', 'Copyright (C) Jean-loup Gailly and Mark Adler'],
  ['zstd', 'BSD-3-Clause', 'Copyright (c) Meta Platforms, Inc. and affiliates'],
  ['libpcap', 'BSD-3-Clause', 'Copyright (c) The Regents of the University of California'],
  ['OpenSSL', 'Apache-2.0', 'Copyright (c) The OpenSSL Project Authors'],
  ['libbpf', 'LGPL-2.1-only OR BSD-2-Clause', 'Copyright (c) its authors at Facebook and others'],
] as const;

/** The two that say it in their package.json in a way npm does not pass on. */
const licenceIn = (folder: string): string | undefined => {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const { licenses } = z
    .object({ licenses: z.array(z.object({ type: z.string() })).optional() })
    .parse(JSON.parse(readFileSync(file, 'utf8')));
  return licenses?.map(({ type }) => type).join(' OR ');
};

/** The line that says whose it is. */
function ownerIn(folder: string): string {
  const file = existsSync(folder) ? readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name)) : undefined;
  if (file === undefined) return '';
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  return (
    lines
      .map((line) => line.trim())
      .find((line) => /^(copyright|©)/i.test(line) && /\d{4}|\(c\)/i.test(line) && !line.includes('[yyyy]')) ?? ''
  );
}

const row = (name: string, licence: string, owner: string): string =>
  `- ${name}: ${licence}${owner === '' ? '' : `\n  ${owner}`}`;

function packages(root: string): string[] {
  const { packages: all } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return Object.entries(all)
    .filter(([path, { dev, version }]) => path !== '' && dev !== true && version !== undefined)
    .map(([path, { version = '', license, optional = false }]) => {
      const folder = join(root, path);
      const name = `${path.replace(/^.*node_modules\//, '')} ${version}`;
      return row(name, license ?? licenceIn(folder) ?? 'see the package', optional ? '' : ownerIn(folder));
    })
    .sort();
}

/** cargo knows the crates' licences; while the lock file stays the same, so do they. */
function crates(root: string, before: string): string {
  const folder = join(root, 'emulator-bridge/quic');
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, 'Cargo.lock')))
    .digest('hex')
    .slice(0, 16);
  const head = `Crates of the QUIC helper (Cargo.lock ${hash})`;
  const known = before.split(/\n(?=## )/).find((section) => section.startsWith(`## ${head}`));
  if (known !== undefined) return known.trimEnd();
  const args = [
    'tree',
    '--locked',
    '--target',
    'x86_64-unknown-linux-gnu',
    '-e',
    'normal',
    '--prefix',
    'none',
    '-f',
    '{p}|{l}',
  ];
  const lines = execFileSync('cargo', args, { cwd: folder, encoding: 'utf8' }).split('\n');
  const rows = lines
    .map((line) => /^(\S+) v(\S+).*\|(.*)$/.exec(line.replace(' (*)', '')))
    .flatMap((match) =>
      match === null || match[1] === 'paceline-quic'
        ? []
        : [row(`${match[1] ?? ''} ${match[2] ?? ''}`, match[3] ?? '', '')],
    );
  return [`## ${head}`, '', ...[...new Set(rows)].sort()].join('\n');
}

/** Of the MIT licence what follows the line that says whose it is; ours has it as well. */
function permission(root: string): string {
  const text = readFileSync(join(root, 'LICENSE'), 'utf8');
  return text.slice(text.indexOf('Permission is hereby granted')).trimEnd();
}

function recordings(root: string): string {
  const folder = join(root, 'traces/recordings');
  const all = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => Recording.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))));
  const rows = all.map(
    ({ name, file, licence, source }) => `- traces/recordings/${file} (“${name}”): ${licence.name}, ${licence.url}
  ${licence.owner}
  ${source.citation}
  Published at ${source.url} as ${source.file}
  Changes: ${source.changes}`,
  );
  return `${rows.join('\n')}

Those under the MIT licence come with this permission, each under the copyright above:

${permission(root)}`;
}

export function notice(root: string): string {
  const file = join(root, 'NOTICE');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return `# Notices of third parties

Paceline is under the MIT licence (LICENSE). It holds, or is linked with, what follows, each under its own licence, whose text comes with it:
with npm's packages in node_modules, with the crates in cargo's folder, with libraries in the system's package. The two fonts are among
npm's packages (@fontsource-variable). The recordings' licences stand below. Written by \`npm run generate\`.

## Packages of npm

${packages(root).join('\n')}

${crates(root, before)}

## Libraries of the native programs

${LIBRARIES.map(([name, licence, owner]) => row(name, licence, owner)).join('\n')}

## Recordings of links

${recordings(root)}
`;
}
