/**
 * `npm run pack [-- --out DIR --node 22.22.0,24.9.0 --arch arm64 --deb]`: the packages that npm installs elsewhere, without a checkout and without a
 * compiler (docs/package.md): `paceline`, and what is compiled for this platform, with a SQLite addon for this Node and each that is named;
 * with --arch what is compiled for another processor as well; with --deb the first two as one for apt.
 */
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/paths.mjs';
import { debianPackage } from './pack/debian.mjs';
import { mainPackage } from './pack/main.mjs';
import { packed } from './pack/packed.mjs';
import { platformPackage } from './pack/platform.mjs';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    node: { type: 'string' },
    arch: { type: 'string' },
    deb: { type: 'boolean', default: false },
  },
});
const out = values.out ?? `${ROOT}/build/packages`;
const nodes = values.node?.split(',') ?? [];
const files = [await packed(await platformPackage(nodes), out), await packed(await mainPackage(), out)];
if (values.deb) files.push(await debianPackage(files, out));
if (values.arch !== undefined) files.push(await packed(await platformPackage(nodes, values.arch), out));
for (const file of files) console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
