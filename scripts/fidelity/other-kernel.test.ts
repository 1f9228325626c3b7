import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { testFolder } from '../../server/src/testing/folder.ts';
import { programsUnder } from './kernel-image.ts';
import { pairOf } from './pairs.ts';

const folder = testFolder();
beforeEach(() => {
  vi.stubEnv('TMPDIR', folder());
  vi.stubEnv('INIT_CWD', undefined);
  return () => vi.unstubAllEnvs();
});

function script(name: string, text: string): string {
  const path = join(folder(), name);
  writeFileSync(path, `#!/bin/sh\n${text}`);
  chmodSync(path, 0o755);
  return path;
}

/** Boots nothing: does what is to be done first, without the mounts of a machine of its own. */
const standIn = (): string =>
  script('linux', 'for word in "$@"; do case "$word" in init=*) grep -v "^mount" "${word#init=}" | sh;; esac; done\n');

/** What it says, and how it ends. */
function said(kernel: string, program: string, args: readonly string[], stop = false) {
  const native = join(folder(), 'native');
  mkdirSync(native, { recursive: true });
  writeFileSync(join(native, 'paceline-tun'), program);
  chmodSync(join(native, 'paceline-tun'), 0o755);
  vi.stubEnv('PACELINE_NATIVE_DIR', native);
  const wrapped = join(programsUnder(kernel), 'paceline-tun');
  const child = spawn(wrapped, args, { stdio: 'pipe' });
  const out: Buffer[] = [];
  let err = '';
  child.stdout.on('data', (piece: Buffer) => {
    out.push(piece);
    if (stop) child.stdin.end();
  });
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
  return new Promise<{ code: number | null; out: Buffer; err: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, out: Buffer.concat(out), err }));
  });
}

const left = (): string[] => readdirSync(folder()).filter((name) => name.startsWith('paceline-kernel-'));

it('passes on what a program says under another kernel, byte for byte, with its words and its exit code', async () => {
  const { code, out, err } = await said(
    standIn(),
    `#!/bin/sh\nprintf '\\000\\377%s|' "$@"\nhead -c 300000 /dev/zero\necho late >&2\nexit 3\n`,
    ['--manifest', `it's "here" $(touch pwned)`],
  );
  expect(code).toBe(3);
  expect(err).toBe('late\n');
  const words = Buffer.from(`\0\xff--manifest|\0\xffit's "here" $(touch pwned)|`, 'latin1');
  expect(out.equals(Buffer.concat([words, Buffer.alloc(300_000)]))).toBe(true);
  expect(left()).toEqual([]);
});

it('says that a kernel ended by itself, and what it said', async () => {
  const { code, err } = await said(script('linux', 'echo no memory\n'), '#!/bin/sh\n', []);
  expect(code).toBe(1);
  expect(err).toContain('linux ended by itself: no memory');
  const noProgram = join(folder(), 'text');
  writeFileSync(noProgram, 'no kernel');
  const { err: refused } = await said(noProgram, '#!/bin/sh\n', []);
  expect(refused).toContain(`${noProgram}: spawn`);
  expect(() => programsUnder(join(folder(), 'nowhere'))).toThrow(/--kernel: there is no .*nowhere/);
});

it('stops it when nobody listens any more', async () => {
  const { code, out } = await said(standIn(), '#!/bin/sh\necho begun\nsleep 600\n', [], true);
  expect(out.toString()).toBe('begun\n');
  expect(code).toBe(1);
  expect(left()).toEqual([]);
});

it('knows which of ours stands beside which of a kernel’s', () => {
  expect(pairOf('reno')).toEqual({ kernel: 'reno', ours: 'newreno', params: {} });
  expect(pairOf('bbr=bbr3:profile=linux')).toEqual({ kernel: 'bbr', ours: 'bbr3', params: { profile: 'linux' } });
  expect(pairOf('westwood=westwood:tick_ms=4')).toEqual({
    kernel: 'westwood',
    ours: 'westwood',
    params: { tick_ms: 4 },
  });
  expect(() => pairOf('bic')).toThrow('known are reno, cubic');
  expect(() => pairOf('reno=')).toThrow('--ccas: reno=');
  expect(() => pairOf('bbr=bbr3:profile')).toThrow('profile is no parameter=value');
});
