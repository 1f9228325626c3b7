/**
 * `npm run api-check [-- --examples N --seconds N --seed N]`: schemathesis with all its checks over every operation of the HTTP API,
 * uploads included, against a server of its own with a data folder of its own. Wants Python 3 with venv; the package is fetched once, into
 * build/. Exits 1 when a check failed or the server did not live through it. The full report is build/api-check/report.txt.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { findProgram } from './lib/find.mjs';
import { ROOT } from './lib/paths.mjs';
import { CommandFailed, run } from './lib/run.mjs';

const VERSION = '4.32.5';
const FOLDER = `${ROOT}/build/api-check`;
const VENV = `${FOLDER}/schemathesis-${VERSION}`;
const CONFIG = `${ROOT}/scripts/api-check/schemathesis.toml`;

/** It keeps every answer, exports included, and would take the machine's memory with it. */
const MOST_KIB = 6 * 2 ** 20;

const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
  },
});

async function schemathesis() {
  const program = `${VENV}/bin/schemathesis`;
  if (existsSync(program)) return program;
  if (findProgram('python3') === undefined) throw new Error('there is no Python 3 on this machine');
  try {
    await run('python3', ['-m', 'venv', VENV]);
    await run(`${VENV}/bin/pip`, ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`]);
  } catch (error) {
    rmSync(VENV, { recursive: true, force: true });
    throw error;
  }
  return program;
}

/** @param {string} dataDir */
async function startServer(dataDir) {
  const args = [
    '--import',
    'tsx',
    `${ROOT}/server/src/main.ts`,
    '--port',
    '0',
    '--workers',
    '1',
    '--data-dir',
    dataDir,
  ];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PACELINE_LOG: 'error' },
  });
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  const url = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      const found = /http:\S+/.exec(said);
      if (found !== null) resolve(found[0]);
    });
    void ended.then((how) => reject(new Error(`the server ended (${String(how)})`)));
  });
  return { child, ended, url: String(url) };
}

let program;
try {
  program = await schemathesis();
} catch (error) {
  console.error(
    `Schemathesis ${VERSION} cannot be had here: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
}
mkdirSync(FOLDER, { recursive: true });
const dataDir = mkdtempSync(`${tmpdir()}/paceline-api-check-`);
const server = await startServer(dataDir);
const api = `${server.url}api/v1`;
let report;
let failed = false;
try {
  const bounds = ['--max-examples', values.examples, '--max-time', values.seconds, '--seed', values.seed];
  const patience = ['--request-timeout', '120', '--max-response-time', '100'];
  report = await run(
    'sh',
    [
      '-c',
      `ulimit -v ${MOST_KIB}; exec "$0" "$@"`,
      program,
      '--config-file',
      CONFIG,
      '--no-color',
      'run',
      `${api}/openapi.json`,
      '--url',
      api,
      '--checks',
      'all',
      '--continue-on-failure',
    ].concat(bounds, patience),
    { cwd: FOLDER },
  );
} catch (error) {
  if (!(error instanceof CommandFailed)) throw error;
  failed = true;
  report = error.output;
}
writeFileSync(`${FOLDER}/report.txt`, report);
const alive = await fetch(`${api}/health`).then(
  ({ status }) => status === 200,
  () => false,
);
server.child.kill('SIGTERM');
await server.ended;
rmSync(dataDir, { recursive: true, force: true });
const closing = report.lastIndexOf('=== SUMMARY');
console.log(report.slice(closing < 0 ? -3000 : report.lastIndexOf('\n', closing) + 1).trim());
console.log(`The server ${alive ? 'is alive' : 'did not live through it'}; the report is ${FOLDER}/report.txt`);
if (failed || !alive) process.exitCode = 1;
