/**
 * `npm run container`: what docker/Dockerfile does, step by step in a root folder made by debootstrap, for machines without an engine for
 * containers; then what compose.yaml and Kubernetes start in it, as the user and on the file system that they give it. Wants root.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { copied, instructionsOf, stagesOf } from './container/dockerfile.mjs';
import { beginRoot, CERTIFICATES, endRoot, entering, inOwnNetwork } from './container/root.mjs';
import { ROOT } from './lib/paths.mjs';
import { run, succeeds } from './lib/run.mjs';

const PATIENCE_MS = 60_000;
/** What-if, lessons and own algorithms need the engine for the page. @param {string} url */
const answers = (url) => {
  const headers = "{ authorization: 'Bearer ' + process.env.PACELINE_TOKEN }";
  return ['node', '-e', `fetch('${url}', { headers: ${headers} }).then((r) => process.exit(r.ok ? 0 : 1))`];
};
/** The engine itself. */
const RUN = ['node', 'bin/paceline.mjs', 'run', 'examples/bufferbloat.json', '--out', '/tmp/results'];
/** @param {string} file */
const text = (file) => readFileSync(`${ROOT}/${file}`, 'utf8');

/** Where this machine's packages come from: a container has a way of its own. */
const registry = (await run('npm', ['config', 'get', 'registry'])).trim();
/** Of each stage, in turn. @type {string[]} */
const roots = [];
const newRoot = () => {
  const root = mkdtempSync(join(tmpdir(), 'paceline-container-'));
  roots.push(root);
  return root;
};

/**
 * @param {string} root
 * @param {import('./container/root.mjs').Inside} inside
 * @param {string} rest
 * @param {ReadonlyMap<string, string>} stages roots of those before, by name
 */
async function copy(root, inside, rest, stages) {
  const { owner, stage, from, to } = copied(rest);
  const target = join(root, resolve(inside.cwd, to));
  if (stage !== undefined) {
    const [source = ''] = from;
    const there = stages.get(stage);
    if (there === undefined || !source.endsWith('/')) throw new Error(`COPY ${rest}: a folder of a stage before`);
    await run('cp', [
      '--recursive',
      '--no-dereference',
      '--preserve=mode,timestamps',
      `${join(there, source)}/.`,
      target,
    ]);
    return;
  }
  // What the build is given: what is committed, without what .dockerignore names, and none of it is built.
  const files = (await run('git', ['ls-files', '-z', '--', ...from])).split('\0').filter(Boolean);
  for (const file of files) {
    const place = from.length === 1 && from[0]?.endsWith('/') ? file.slice(from[0].length) : file;
    const there = join(target, place);
    const made = mkdirSync(dirname(there), { recursive: true });
    cpSync(join(ROOT, file), there);
    const theirs = [there, ...(made === undefined ? [] : [made])];
    if (owner !== undefined) await run('chown', ['--recursive', owner.replaceAll('node', '1000'), ...theirs]);
  }
}

/** What one has in it, in MB. @param {string} root */
const megabytes = async (root) =>
  Number((await run('du', ['--summarize', '--one-file-system', '--block-size=1M', root])).split('\t')[0]);

/**
 * The image: its last stage.
 * @returns {Promise<{ root: string, inside: import('./container/root.mjs').Inside, command: readonly string[] }>}
 */
async function built() {
  /** @type {Map<string, string>} */
  const stages = new Map();
  for (const { image, name, steps } of stagesOf(instructionsOf(text('docker/Dockerfile')))) {
    const root = newRoot();
    await beginRoot(root, image);
    const inside = { user: 'root', cwd: '/', env: /** @type {Record<string, string>} */ ({}) };
    /** @type {readonly string[]} */
    let command = [];
    for (const { word, rest, line } of steps) {
      const start = performance.now();
      if (word === 'USER') inside.user = rest;
      if (word === 'ENV')
        for (const pair of rest.split(/\s+/)) inside.env[pair.split('=')[0] ?? ''] = pair.split('=')[1] ?? '';
      if (word === 'CMD') command = JSON.parse(rest);
      if (word === 'COPY') await copy(root, inside, rest, stages);
      if (word === 'WORKDIR') {
        inside.cwd = rest;
        mkdirSync(join(root, rest), { recursive: true });
      }
      if (word === 'RUN') {
        const env = { ...inside.env, npm_config_registry: registry, NODE_EXTRA_CA_CERTS: CERTIFICATES };
        const [program = '', ...words] = entering(root, { ...inside, env }, ['sh', '-c', rest]);
        await run(program, words, { cwd: '/' });
      }
      console.log(`Dockerfile:${line} ${word} ${rest} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
    }
    console.log(`${name ?? 'the image'}, from ${image}: ${await megabytes(root)} MB`);
    if (command.length > 0) return { root, inside, command };
    if (name !== undefined) stages.set(name, root);
  }
  throw new Error('docker/Dockerfile: no stage has a CMD');
}

/**
 * Starts it, waits until it is ready, asks what its keeper asks, and tells it to end.
 * @param {string} what
 * @param {readonly string[]} command
 * @param {import('./container/root.mjs').Inside & { readonly root: string }} inside
 * @param {readonly (readonly string[])[]} asks each must end well
 */
async function tried(what, command, { root, ...inside }, asks) {
  const child = inOwnNetwork(entering(root, inside, command));
  let told = '';
  const heard = (/** @type {Buffer} */ piece) => (told += piece.toString());
  child.stdout.on('data', heard);
  child.stderr.on('data', heard);
  const ended = new Promise((done) => child.once('exit', done));
  try {
    const end = performance.now() + PATIENCE_MS;
    while (!told.includes('Paceline is ready')) {
      if (child.exitCode !== null || performance.now() > end) throw new Error(`${what} did not get ready:\n${told}`);
      await new Promise((done) => setTimeout(done, 200));
    }
    for (const ask of asks)
      await run('nsenter', ['--net', `--target=${child.pid}`, '--', ...entering(root, inside, ask)], { cwd: '/' });
    console.log(`ok  ${what}: ready, and well by its own check`);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

try {
  const { root, inside, command } = await built();
  for (const name of ['cc', 'c++', 'cmake', 'git', 'python3'])
    if (existsSync(join(root, 'usr/bin', name))) throw new Error(`the image has a ${name}, which nothing in it needs`);
  const { services } = parse(text('docker/compose.yaml'));
  const [, ...check] = services.paceline.healthcheck.test;
  await tried(
    'compose.yaml',
    command,
    { ...inside, root, env: { ...inside.env, PACELINE_TOKEN: 'of-this-test-alone' } },
    [check, answers('http://127.0.0.1:8080/engine/paceline.wasm'), RUN],
  );

  // Nothing can be written but what is mounted.
  await run('mount', ['--bind', root, root]);
  for (const place of ['/data', '/tmp']) {
    await run('mount', ['-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', join(root, place)]);
  }
  await run('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
  await run('mount', ['-o', 'remount,bind,ro', root]);
  const [program = '', ...words] = entering(root, { ...inside, user: 'root' }, ['touch', '/opt/paceline/written']);
  if (await succeeds(program, words)) throw new Error('the file system can be written');
  const deployment = parseAllDocuments(text('deploy/kubernetes/server.yaml'))
    .map((one) => one.toJS())
    .find(({ kind }) => kind === 'Deployment');
  const { containers, securityContext } = deployment.spec.template.spec;
  const [server] = containers;
  if (securityContext.runAsUser !== 1000)
    throw new Error('Kubernetes starts it as somebody whom the image does not know');
  const env = { ...inside.env, PACELINE_TOKEN: 'of-this-test-alone' };
  const asked = `http://127.0.0.1:${server.ports[0].containerPort}${server.livenessProbe.httpGet.path}`;
  await tried(
    'deploy/kubernetes, nothing to write on',
    [...server.command, ...server.args],
    { ...inside, root, user: 'node', env },
    [answers(asked)],
  );
} finally {
  for (const root of roots) await endRoot(root);
}
