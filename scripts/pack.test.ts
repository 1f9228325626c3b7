// The packages as a person has them elsewhere: installed into an empty folder, with an empty home, and no checkout in sight.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownText } from '#server/testing/own-texts';
import { NATIVE_BUILD, ROOT } from './lib/paths.mjs';
import { mainPackage } from './pack/main.mjs';
import { debianPackage } from './pack/debian.mjs';
import { findProgram } from './lib/find.mjs';
import { packed } from './pack/packed.mjs';
import { PLATFORM, platformPackage } from './pack/platform.mjs';

interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
interface Experiments {
  readonly experiments: readonly { readonly id: string; readonly state: string }[];
}

/** Other tests may want the machine, too. */
const PATIENCE_MS = 120_000;

let folder: string;
let app: string;
let env: NodeJS.ProcessEnv;
let files: readonly string[];
const started: ChildProcess[] = [];

/** A command of the installed package; its exit code is told, not thrown. */
async function paceline(...words: readonly string[]): Promise<Answer> {
  try {
    const told = await promisify(execFile)(`${app}/node_modules/.bin/paceline`, words, { cwd: app, env });
    return { code: 0, ...told };
  } catch (error) {
    return error as Answer;
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paceline-pack-'));
  app = join(folder, 'app');
  mkdirSync(app);
  mkdirSync(join(folder, 'home'));
  const exec = promisify(execFile);
  const registry = (await exec('npm', ['config', 'get', 'registry'], { cwd: ROOT })).stdout.trim();
  const known = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('npm_') && !name.startsWith('PACELINE_'),
  );
  env = { ...Object.fromEntries(known), HOME: join(folder, 'home'), npm_config_registry: registry };
  files = [await packed(await platformPackage([]), folder), await packed(await mainPackage(), folder)];
  await exec('npm', ['install', '--no-audit', '--no-fund', ...files], { cwd: app, env });
}, 300_000);
afterAll(async () => {
  for (const child of started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

describe('an installed package', { timeout: 2 * PATIENCE_MS }, () => {
  it('makes the bytes that a checkout makes', async () => {
    const spec = `${ROOT}/examples/lossy-path.json`;
    const there = await paceline('run', spec, '--out', 'there');
    expect(there.stderr + there.stdout).toContain('Cubic');
    expect(there.code).toBe(0);
    const here = join(folder, 'here');
    const command = [`${ROOT}/bin/paceline.mjs`, 'run', spec, '--out', here];
    await promisify(execFile)(process.execPath, command, { cwd: folder });
    const series = readdirSync(join(here, 'series'));
    expect(series.length).toBeGreaterThan(0);
    for (const file of series)
      expect(readFileSync(join(app, 'there/series', file))).toEqual(readFileSync(join(here, 'series', file)));
  });

  it('brings the terms of the packages that are part of it', () => {
    const terms = readFileSync(join(app, 'node_modules/paceline/THIRD-PARTY-LICENSES.txt'), 'utf8');
    // of the server, of the page, and of what these need
    for (const name of ['express', 'zod', 'react-dom', 'd3-scale', 'scheduler', 'better-sqlite3'])
      expect(terms).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(terms).toContain('Permission is hereby granted');
  });

  it('ends with the npx that began it', async () => {
    const words = ['paceline', '--port', '0', '--data-dir', 'by-npx'];
    const npx = spawn('npx', words, { cwd: app, env });
    started.push(npx);
    let told = '';
    npx.stdout.on('data', (text: Buffer) => (told += text.toString()));
    const ready = (): string => /ready: (\S+)/.exec(told)?.[1] ?? '';
    await expect.poll(ready, { timeout: PATIENCE_MS }).toContain('http://');
    const answers = (): Promise<boolean> =>
      fetch(ready()).then(
        ({ ok }) => ok,
        () => false,
      );
    expect(await answers()).toBe(true);
    npx.kill('SIGTERM');
    await expect.poll(answers, { timeout: PATIENCE_MS }).toBe(false);
  });

  it('serves without a word: the page, the sample experiment, a picture of it', async () => {
    const server = spawn(`${app}/node_modules/.bin/paceline`, ['--port', '0'], { cwd: app, env });
    started.push(server);
    let told = '';
    server.stdout.on('data', (text: Buffer) => (told += text.toString()));
    await expect.poll(() => /ready: (\S+)/.exec(told)?.[1] ?? '', { timeout: PATIENCE_MS }).toContain('http://');
    const url = /ready: (\S+)/.exec(told)?.[1] ?? '';

    const page = await (await fetch(url)).text();
    const script = /src="\/(assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    expect((await fetch(url + script)).status).toBe(200);
    const list = async (): Promise<Experiments> =>
      (await (await fetch(`${url}api/v1/experiments`)).json()) as Experiments;
    await expect.poll(async () => (await list()).experiments[0]?.state, { timeout: PATIENCE_MS }).toBe('done');
    const id = (await list()).experiments[0]?.id ?? '';
    const picture = await fetch(`${url}og/e/${id}.png`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
    for (const path of ['api/v1/studies', 'api/v1/algorithms', 'api/v1/templates', 'api/v1/fidelity'])
      expect(`${path} ${(await fetch(url + path)).status}`).toBe(`${path} 200`);
  });

  it.skipIf(!existsSync(`${NATIVE_BUILD}/bin/paceline.wasm`))('runs an own algorithm', async () => {
    writeFileSync(join(app, 'mine.ts'), ownText('Mine'));
    const spec = { name: 'mine', duration_s: 3, traces: [{ rate_mbps: 12 }], ccas: [{ id: 'mine.ts' }] };
    writeFileSync(join(app, 'mine.json'), JSON.stringify(spec));
    const made = await paceline('run', 'mine.json', '--out', 'mine', '--data-dir', 'other');
    expect(made.stdout + made.stderr).toContain('Mine');
    expect(made.code).toBe(0);
  });

  it('may have its answers read by half', async () => {
    const { stdout, stderr } = await promisify(execFile)(
      'sh',
      ['-c', '"$0" ccas --json | head -c 10', `${app}/node_modules/.bin/paceline`],
      { cwd: app, env },
    );
    expect(stdout).toHaveLength(10);
    expect(stderr).toBe('');
  });

  it('says what is not there, where the compiled part is not', async () => {
    const aside = join(folder, 'aside');
    renameSync(join(app, 'node_modules', PLATFORM), aside);
    const { code, stderr } = await paceline('ccas');
    renameSync(aside, join(app, 'node_modules', PLATFORM));
    expect(stderr).toContain(`The package ${PLATFORM}, which holds what is compiled, is not installed`);
    expect(code).toBe(1);
  });

  it('says of QUIC, where it was made without, what a package can do about it', async () => {
    const helper = join(app, 'node_modules', PLATFORM, 'bin/paceline-quic');
    const aside = join(folder, 'paceline-quic');
    const isThere = existsSync(helper);
    if (isThere) renameSync(helper, aside);
    const { code, stderr } = await paceline('quic', '--version');
    const doctor = await paceline('doctor', '--json', '--data-dir', 'asked');
    if (isThere) renameSync(aside, helper);
    expect(stderr).toContain(`${PLATFORM} was made without it; a checkout builds it, with Rust`);
    expect(code).toBe(1);
    expect(doctor.stdout).toContain('everything but QUIC works without');
    expect(doctor.stdout).not.toContain('npm run setup');
  });

  it('says for which Node it was made, to another', async () => {
    const addons = join(app, 'node_modules', PLATFORM, 'addon');
    renameSync(addons, join(folder, 'addon'));
    mkdirSync(addons);
    const { code, stderr } = await paceline('serve', '--port', '0', '--data-dir', 'no-addon');
    rmSync(addons, { recursive: true });
    renameSync(join(folder, 'addon'), addons);
    expect(stderr.trim()).toBe(
      `paceline: ${PLATFORM} was made for other versions of Node.js than ${process.versions.node} (docs/package.md)`,
    );
    expect(code).toBe(1);
  });
});

describe('the package for apt', () => {
  it.skipIf(findProgram('dpkg-deb') === undefined)(
    'holds all of it, and services that name what is in it',
    async () => {
      const exec = promisify(execFile);
      const deb = await debianPackage(files, folder, { effort: 0 });
      const root = join(folder, 'root');
      await exec('dpkg-deb', ['-x', deb, root]);
      const { stdout } = await exec(join(root, 'usr/bin/paceline'), ['ccas'], {
        cwd: app,
        env,
      });
      expect(stdout).toContain('cubic');
      const units = join(root, 'usr/lib/systemd/system');
      const services = readdirSync(units).filter((name) => name.endsWith('.service'));
      expect(services).toContain('paceline.service');
      for (const name of services) {
        const text = readFileSync(join(units, name), 'utf8');
        expect(text).not.toContain('/opt/');
        const places = [...text.matchAll(/^(?:ExecStart=|WorkingDirectory=|Documentation=file:)(\S+)/gm)];
        expect(places.length).toBeGreaterThanOrEqual(3);
        for (const [, place = ''] of places) expect(`${place} ${existsSync(join(root, place))}`).toBe(`${place} true`);
      }
    },
    2 * PATIENCE_MS,
  );
});
