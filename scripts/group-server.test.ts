// docs/group-server.md, followed to the letter: in a folder of this test, with the service's own command where the page starts the service.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withoutRedis } from '#server/testing/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from './lib/find.mjs';
import { ROOT } from './lib/paths.mjs';

const UNITS = `${ROOT}/deploy/systemd`;
const PAGE = readFileSync(`${ROOT}/docs/group-server.md`, 'utf8');
/** Where a service begins, the test starts what its unit does. */
const STARTS: Readonly<Record<string, () => Promise<void> | void>> = {
  'sudo systemctl restart redis-server': () => startRedis(),
  'sudo systemctl enable --now paceline.service': () => startService(),
  'sudo systemctl enable --now paceline-worker.service': () => startWorkers(),
};

let folder: string;
let port: number;
let redisPort: number;
const services: ChildProcess[] = [];

/** The page's places and names, as they are here. */
const here = (text: string): string =>
  text
    .replaceAll('/opt/paceline', ROOT)
    .replaceAll('/etc/paceline', join(folder, 'etc'))
    .replaceAll('/var/lib/paceline', join(folder, 'lib'))
    .replaceAll('/var/cache/paceline', join(folder, 'cache'))
    .replaceAll('/var/backups/paceline', join(folder, 'backups'))
    .replaceAll('lab.example.org', 'localhost')
    .replaceAll('8443', String(port))
    .replaceAll('6380', String(redisPort))
    .replaceAll('/usr/bin/node', process.execPath);

/** What a unit runs. */
const commandOf = (unit: string): string[] =>
  here(/^ExecStart=(.+)$/m.exec(readFileSync(`${UNITS}/${unit}`, 'utf8'))?.[1] ?? '').split(' ');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paceline-group-'));
  [port, redisPort] = [await freePort(), await freePort()];
});
afterAll(async () => {
  // Workers first, the Redis last.
  for (const service of services.reverse()) {
    if (service.exitCode !== null || service.signalCode !== null) continue;
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address() as AddressInfo;
  await promisify(probe.close.bind(probe))();
  return free;
}

/** What systemd reads from the file that a unit names, if it is there. */
function environmentOf(unit: string): NodeJS.ProcessEnv {
  const file = here(/^EnvironmentFile=-?(.+)$/m.exec(readFileSync(`${UNITS}/${unit}`, 'utf8'))?.[1] ?? '');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

function start(unit: string): ChildProcess {
  const [program = '', ...words] = commandOf(unit);
  const env = { ...process.env, PACELINE_LOG: 'silent', ...environmentOf(unit) };
  const service = spawn(program, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'], env });
  services.push(service);
  return service;
}

async function shell(lines: readonly string[]): Promise<string> {
  // Nothing of who runs this test.
  const { PACELINE_TOKEN: _, ...env } = process.env;
  const script = ['set -euo pipefail', ...lines].join('\n');
  return (await promisify(execFile)('bash', ['-c', script], { cwd: ROOT, env })).stdout;
}

function startService(): void {
  mkdirSync(join(folder, 'lib'));
  start('paceline.service').stdout?.resume();
}

function startRedis(): void {
  if (withoutRedis !== null) return;
  const words = ['/etc/paceline/redis.conf'].map(here);
  services.push(spawn('redis-server', [...words, '--dir', folder], { stdio: 'ignore' }));
}

/** Two machines. */
async function startWorkers(): Promise<void> {
  if (withoutRedis !== null) return;
  for (const worker of [start('paceline-worker.service'), start('paceline-worker.service')])
    await new Promise<void>((resolve) => worker.stdout?.on('data', () => resolve()));
  // The server looks for them every second.
  await after(2500);
}

/** Gives what its commands print. A step that the page has begins when all before it is done. */
async function follow(lines: readonly string[]): Promise<string> {
  const places = Object.keys(STARTS).map((line) => lines.indexOf(line));
  expect(Math.min(...places)).toBeGreaterThan(5);
  let said = '';
  let known: string[] = [];
  for (const from of [0, ...places.map((place) => place + 1)]) {
    const to = places.find((place) => place >= from) ?? lines.length;
    const own = lines
      .slice(from, to)
      .filter((line) => !line.startsWith('sudo '))
      .map(here);
    // What was exported holds for what follows.
    said += await shell([...known, ...own]);
    known = [...known, ...own.filter((line) => line.startsWith('export '))];
    await STARTS[lines[to] ?? '']?.();
  }
  return said;
}

describe('whoever follows the page', () => {
  it('comes to a server with TLS, tokens for others and a backup', async () => {
    const lines = [...PAGE.matchAll(/```sh\n(.+?)```/gs)].flatMap(([, text = '']) => text.trimEnd().split('\n'));
    const said = await follow(lines);
    expect(said).toContain('"status":"ready"');
    expect(said).toMatch(/paceline_[\w-]{43}\nAnn, author, until /);
    expect(said).toMatch(/Seminar +viewer /);
    expect(said).toContain('everything is whole');
    if (withoutRedis === null) {
      expect(said).toContain(here('Workers by rediss://lab.example.org:6380'));
      expect(said.match(/virtual, realtime +ready/g)).toHaveLength(2);
    }
    expect(readdirSync(join(folder, 'backups')).filter((name) => name.startsWith('paceline-'))).toHaveLength(1);
    // What the group's tokens are worth, over what the page has set up.
    const viewer =
      said.split('\n').find((line, i, all) => all[i + 1]?.startsWith('Seminar, viewer') === true && line !== '') ?? '';
    const ask = async (...words: string[]): Promise<string> => {
      const at = here('https://lab.example.org:8443/api/v1');
      const shown = [
        '--output',
        '/dev/null',
        '--write-out',
        '%{http_code}',
        '--cacert',
        here('/etc/paceline/cert.pem'),
      ];
      const token = ['--header', `Authorization: Bearer ${viewer}`];
      const [path = '', ...more] = words;
      return (await promisify(execFile)('curl', ['--silent', ...shown, ...token, ...more, at + path])).stdout;
    };
    expect([await ask('/traces'), await ask('/studies/zeus/run', '--request', 'POST')]).toEqual(['200', '403']);
    // What the timer runs.
    const [program = '', ...words] = commandOf('paceline-backup.service');
    expect(execFileSync(program, words, { cwd: ROOT, encoding: 'utf8' })).toContain('everything is whole');
  }, 600_000);
});

const analyser = findProgram('systemd-analyze');
describe.skipIf(analyser === undefined)('the units (where systemd-analyze is)', () => {
  const analyse = (...words: string[]): string => execFileSync('systemd-analyze', words, { encoding: 'utf8' });

  it('are understood by systemd, to the last line', () => {
    const copies = readdirSync(UNITS).map((name) => {
      const copy = join(folder, name);
      writeFileSync(copy, readFileSync(`${UNITS}/${name}`, 'utf8').replaceAll('/usr/bin/node', process.execPath));
      return copy;
    });
    expect(copies).toHaveLength(4);
    expect(analyse('verify', ...copies)).toBe('');
    const wrong = join(folder, 'wrong.service');
    writeFileSync(wrong, '[Service]\nExecStart=/nowhere/paceline\n');
    expect(() => analyse('verify', wrong)).toThrow();
  });

  it.each(['paceline.service', 'paceline-worker.service', 'paceline-backup.service'])('%s has few rights', (unit) => {
    const words = ['security', '--offline=yes', '--threshold=25'];
    expect(() => analyse(...words, `${UNITS}/${unit}`)).not.toThrow();
    const open = join(folder, 'open.service');
    writeFileSync(open, '[Service]\nExecStart=/bin/true\n');
    expect(() => analyse(...words, open)).toThrow();
  });
});
