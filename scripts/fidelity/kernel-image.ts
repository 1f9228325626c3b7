import { chmodSync, existsSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nativeDir, PROGRAMS } from '#bridge/programs';

const WRAPPER = fileURLToPath(new URL('other-kernel.mjs', import.meta.url));
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * A folder for PACELINE_NATIVE_DIR in which runs over TUN are made by another kernel, in simulated time.
 * @param kernel user-mode Linux (docs/tun.md says how it is built)
 */
export function programsUnder(kernel: string): string {
  // npm changes the folder; the path is meant from where it was called.
  const image = resolve(process.env['INIT_CWD'] ?? '', kernel);
  if (!existsSync(image)) throw new Error(`--kernel: there is no ${image}`);
  const dir = mkdtempSync(join(tmpdir(), 'paceline-programs-'));
  for (const name of PROGRAMS) {
    const program = join(nativeDir(), name);
    if (name !== 'paceline-tun') symlinkSync(program, join(dir, name));
    else {
      const words = [process.execPath, WRAPPER, image, program].map(quoted);
      writeFileSync(join(dir, name), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
      chmodSync(join(dir, name), 0o755);
    }
  }
  return dir;
}
