// What the compiler says of the page in other words. It is laid out in a folder of its own for the compiler that is written in machine
// code: it takes a tenth of the time, and reads nothing but files.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** What the page is made of; what it needs of others is where it was. */
export const ROOMS = [
  'web/src',
  'server/analysis',
  'emulator-bridge/protocol',
  'emulator-bridge/engine',
  'server/studies',
  'server/templates',
];
const FILES = ['package.json', 'tsconfig.base.json', 'web/tsconfig.json'];

/** What made the forms of counts before is imported and used no more. */
const CONFIG = {
  extends: './tsconfig.json',
  compilerOptions: {
    composite: false,
    declaration: false,
    emitDeclarationOnly: false,
    noEmit: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
  },
};

/**
 * @param root of the checkout
 * @param changed sources that are not as they are on the disk, by full path
 * @returns what is wrong, one line each
 */
export function faultsOf(root: string, changed: ReadonlyMap<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'paceline-words-'));
  try {
    for (const name of [...ROOMS, ...FILES]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      cpSync(join(root, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [file, text] of changed) writeFileSync(join(folder, relative(root, file)), text);
    writeFileSync(join(folder, 'web/words.json'), JSON.stringify(CONFIG));
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
    const { status, stdout, stderr, error } = spawnSync(
      process.execPath,
      [compiler, '-p', join(folder, 'web/words.json'), '--singleThreaded', '--pretty', 'false'],
      { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    if (error !== undefined) throw error;
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
    return status === 0 || lines.length > 0 ? lines : [`the compiler ended with ${status}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
