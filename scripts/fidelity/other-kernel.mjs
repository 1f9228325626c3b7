// What stands for paceline-tun where another kernel is to run it: `node other-kernel.mjs KERNEL PACELINE_TUN ARGUMENTS…`.
// KERNEL is user-mode Linux (docs/tun.md) whose only program is paceline-tun. Its time is simulated: it passes when everybody
// sleeps, so that no machine is too slow.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LOOK_MS = 50;
const MEMORY = 'mem=1536M';
const SAID_AT_MOST = 2000;

const [kernel = '', ...program] = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), 'paceline-kernel-'));
/** @param {string} name */
const file = (name) => join(dir, name);
const [init, out, err, code, console] = [file('init'), file('out'), file('err'), file('code'), file('console')];

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

// The program ends when its standard input does. Where time is simulated the last sleep is over at once, and with it the kernel.
writeFileSync(
  init,
  `#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
sleep 1000000 | {
  ${program.map(quoted).join(' ')} >${quoted(out)} 2>${quoted(err)}
  echo $? >${quoted(`${code}.new`)}
  mv ${quoted(`${code}.new`)} ${quoted(code)}
}
sleep 1000000
`,
  { mode: 0o755 },
);
writeFileSync(out, '');

const log = openSync(console, 'w');
const files = ['root=/dev/root', 'rootfstype=hostfs', 'rootflags=/', 'rw', `init=${init}`];
const booted = spawn(kernel, [MEMORY, ...files, 'time-travel=inf-cpu', 'con=null', 'con0=null,fd:1', 'quiet'], {
  stdio: ['ignore', log, log],
  detached: true,
});

const from = openSync(out, 'r');
const piece = Buffer.alloc(1 << 16);
/** Passes on what has been said since. */
function passOn() {
  for (let read = readSync(from, piece); read > 0; read = readSync(from, piece))
    process.stdout.write(Buffer.from(piece.subarray(0, read)));
}

let over = false;
/**
 * @param {number} exitCode
 * @param {string} said
 */
function end(exitCode, said) {
  if (over) return;
  over = true;
  clearInterval(looking);
  passOn();
  closeSync(from);
  process.stderr.write(said);
  try {
    if (booted.pid !== undefined) process.kill(-booted.pid, 'SIGKILL'); // all of it: its programs are processes here
  } catch {
    // It has ended by itself.
  }
  rmSync(dir, { recursive: true, force: true });
  process.exitCode = exitCode;
  process.stdin.destroy();
}

const looking = setInterval(() => {
  passOn();
  if (existsSync(code)) end(Number(readFileSync(code, 'utf8')), readFileSync(err, 'utf8'));
}, LOOK_MS);
booted.once('error', (error) => end(1, `${kernel}: ${error.message}\n`));
booted.once('exit', () => {
  if (!over && !existsSync(code))
    end(1, `${kernel} ended by itself: ${readFileSync(console, 'utf8').slice(-SAID_AT_MOST)}\n`);
});
process.stdin.once('end', () => end(1, '')).resume();
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => end(1, ''));
