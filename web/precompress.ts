// Beside each text file of the built page its brotli and gzip forms, as small as they get: done once, not for every visitor.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|svg)$/;
/** Less fits into a packet or two anyway. */
const LEAST_BYTES = 1000;

const FORMS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length < LEAST_BYTES) return;
  await Promise.all(Object.entries(FORMS).map(async ([end, form]) => writeFile(`${file}.${end}`, await form(bytes))));
}

export const precompress = (): Plugin => ({
  name: 'paceline-precompress',
  apply: 'build',
  async writeBundle({ dir = '' }) {
    const assets = join(dir, 'assets');
    const files = (await readdir(assets)).filter((name) => TEXT.test(name));
    await Promise.all(files.map((name) => compress(join(assets, name))));
  },
});
