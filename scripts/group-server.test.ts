// docs/group-server.md, followed to the letter: in a folder of this test, with the service's own command where the page starts the service.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from './lib/find.mjs';
import { ROOT } from './lib/paths.mjs';

const UNITS = `${ROOT}/deploy/systemd`;
const PAGE = readFileSync(`${ROOT}/docs/group-server.md`, 'utf8');
const STARTS = 'sudo systemctl enable --now paceline.service';

let folder: string;
let port: number;
let service: ChildProcess | undefined;

/** The page's places and names, as they are here. */
const here = (text: string): string =>
  text
    .replaceAll('/opt/paceline', ROOT)
    .replaceAll('/etc/paceline', join(folder, 'etc'))
    .replaceAll('/var/lib/paceline', join(folder, 'lib'))
    .replaceAll('/var/backups/paceline', join(folder, 'backups'))
    .replaceAll('lab.example.org', 'localhost')
    .replaceAll('8443', String(port))
    .replaceAll('/usr/bin/node', process.execPath);

/** What a unit runs. */
const commandOf = (unit: string): string[] =>
  here(/^ExecStart=(.+)$/m.exec(readFileSync(`${UNITS}/${unit}`, 'utf8'))?.[1] ?? '').split(' ');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paceline-group-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  ({ port } = probe.address() as AddressInfo);
  await promisify(probe.close.bind(probe))();
});
afterAll(async () => {
  if (service?.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

async function shell(lines: readonly string[]): Promise<string> {
  // Nothing of who runs this test.
  const { PACELINE_TOKEN: _, ...env } = process.env;
  const script = ['set -euo pipefail', ...lines].join('\n');
  return (await promisify(execFile)('bash', ['-c', script], { cwd: ROOT, env })).stdout;
}

function startService(): void {
  mkdirSync(join(folder, 'lib'));
  const [program = '', ...words] = commandOf('paceline.service');
  service = spawn(program, words, { cwd: ROOT, stdio: 'ignore', env: { ...process.env, PACELINE_LOG: 'silent' } });
}

describe('whoever follows the page', () => {
  it('comes to a server with TLS, tokens for others and a backup', async () => {
    const lines = [...PAGE.matchAll(/```sh\n(.+?)```/gs)].flatMap(([, text = '']) => text.trimEnd().split('\n'));
    const [before, after] = [lines.slice(0, lines.indexOf(STARTS)), lines.slice(lines.indexOf(STARTS) + 1)];
    expect(before.length).toBeGreaterThan(5);
    const own = (some: readonly string[]): string[] => some.filter((line) => !line.startsWith('sudo ')).map(here);
    await shell(own(before));
    startService();
    const said = await shell(own(after));
    expect(said).toContain('"status":"ready"');
    expect(said).toMatch(/paceline_[\w-]{43}\nAnn, author, until /);
    expect(said).toMatch(/Seminar +viewer /);
    expect(said).toContain('everything is whole');
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
  }, 180_000);
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
    expect(copies).toHaveLength(3);
    expect(analyse('verify', ...copies)).toBe('');
    const wrong = join(folder, 'wrong.service');
    writeFileSync(wrong, '[Service]\nExecStart=/nowhere/paceline\n');
    expect(() => analyse('verify', wrong)).toThrow();
  });

  it.each(['paceline.service', 'paceline-backup.service'])('%s has few rights', (unit) => {
    const words = ['security', '--offline=yes', '--threshold=25'];
    expect(() => analyse(...words, `${UNITS}/${unit}`)).not.toThrow();
    const open = join(folder, 'open.service');
    writeFileSync(open, '[Service]\nExecStart=/bin/true\n');
    expect(() => analyse(...words, open)).toThrow();
  });
});
