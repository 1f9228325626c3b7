// Programs of the operator's at the ends of flows: chosen in the page and on the command line, measured by the link, and what they count
// themselves agrees.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import type { RunSummary } from '#protocol/summary';
import { nativeDir } from '#bridge/programs';
import { expect, test } from './fixtures.ts';
import { PacelineServer } from './server.ts';
import { Api } from './support/api.ts';
import { paceline, runInRealTime } from './support/cli.ts';
import { saved } from './support/downloads.ts';
import { NewExperiment } from './support/new-experiment.ts';
import { Panels } from './support/panels.ts';
import { realTimeProgramsOf } from './support/processes.ts';

const trial = spawnSync(join(nativeDir(), 'paceline-tun'), ['--check'], { encoding: 'utf8' });

/** Sends over TCP as fast as it can, once its peer is there. */
const BULK = `import { connect } from 'node:net';
const [, , host, port] = process.argv;
const block = Buffer.alloc(65536);
const begin = () => {
  const link = connect({ host, port: Number(port) });
  const fill = () => { while (link.write(block)); };
  link.on('connect', fill).on('drain', fill).on('error', () => setTimeout(begin, 20));
};
begin();`;
/** Says in a file how many bytes came. */
const SINK = `import { createServer } from 'node:net';
import { writeFileSync } from 'node:fs';
const [, , host, port, file] = process.argv;
let bytes = 0;
createServer((link) => link.on('data', (data) => (bytes += data.length)).on('error', () => {})).listen(Number(port), host);
console.log('listening at ' + port);
process.on('SIGTERM', () => { writeFileSync(file, String(bytes)); process.exit(); });`;
/** 200 datagrams of 972 bytes, 5 ms apart; says how many it has sent, and ends. */
const FRAMES = `import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
const [, , host, port, file] = process.argv;
const link = createSocket('udp4');
let sent = 0;
const timer = setInterval(() => {
  link.send(Buffer.alloc(972), Number(port), host);
  sent += 1;
  if (sent < 200) return;
  clearInterval(timer);
  writeFileSync(file, String(sent));
  setTimeout(() => process.exit(), 50);
}, 5);`;
const COUNT = `import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
const [, , host, port, file] = process.argv;
let packets = 0;
createSocket('udp4').on('message', () => (packets += 1)).bind(Number(port), host);
process.on('SIGTERM', () => { writeFileSync(file, String(packets)); process.exit(); });`;

/** A page that needs a script of 3 MB; says in a file which browser has asked for it. */
const SITE = `import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
const [, , host, port, file] = process.argv;
const script = '/*' + 'x'.repeat(3e6) + '*/ document.title = "loaded";';
createServer((request, response) => {
  if (request.url === '/bulk.js') return response.setHeader('content-type', 'text/javascript').end(script);
  writeFileSync(file, request.headers['user-agent'] ?? '');
  response.setHeader('content-type', 'text/html').end('<script src="bulk.js"></script>');
}).listen(Number(port), host);`;
/** The one that drives the page. */
const browser = (): string => test.info().project.use.launchOptions?.executablePath ?? chromium.executablePath();

let folder: string;
let endpoints: string;
const counted = async (name: string): Promise<number> => Number(await readFile(join(folder, name), 'utf8'));

test.beforeEach(async () => {
  test.skip(trial.status !== 0, `nothing runs over TUN here: ${trial.stderr.trim()}`);
  folder = await mkdtemp(join(tmpdir(), 'paceline-e2e-external-'));
  endpoints = join(folder, 'programs.json');
  const script = async (name: string, text: string): Promise<string[]> => {
    const file = join(folder, `${name}.mjs`);
    await writeFile(file, text);
    return [process.execPath, file, '{receiver}', '{port}', join(folder, name)];
  };
  const programs = [
    {
      name: 'bulk',
      label: 'Bulk prototype',
      summary: 'As fast as the socket takes it.',
      sender: await script('bulk', BULK),
      receiver: await script('sink', SINK),
    },
    {
      name: 'frames',
      label: 'Frames',
      summary: '200 datagrams.',
      sender: await script('sent', FRAMES),
      receiver: await script('arrived', COUNT),
    },
    {
      name: 'missing',
      label: 'Not here',
      summary: 'It is on another machine.',
      sender: ['paceline-no-such-program'],
      receiver: [process.execPath],
    },
  ];
  await writeFile(endpoints, JSON.stringify({ programs }));
});

test.afterEach(() => rm(folder, { recursive: true, force: true }));

test('a program of the operator’s is chosen in the page, and the link says what it did', async ({
  page,
  complaints,
}) => {
  const server = await PacelineServer.start({ flags: ['--endpoints', endpoints] });
  try {
    const form = new NewExperiment(page);
    await form.open(server.url);
    await expect(form.algorithms.getByRole('heading', { name: 'External programs' })).toBeVisible();
    await expect(form.algorithms.getByText(/Not here cannot be used here: there is no program/)).toBeVisible();
    await expect(form.algorithms.getByRole('button', { name: 'Not here' })).toBeDisabled();
    await form.chooseTraces(['Constant, 48 Mbps']);
    await form.chooseAlgorithms(['Bulk prototype', 'Cubic · kernel']);
    await form.chooseLimits(['1 BDP']);
    await form.fill('Duration', '5');
    await form.fullScores(false);
    await expect(page.getByText(/Bulk prototype is a program of this machine’s: it runs in real time/)).toBeVisible();
    await expect.poll(() => form.plannedRuns()).toBe(2);
    const id = await form.run();

    const { runs, cells } = await new Api(server).counting(id);
    const cell = cells.find(({ cca }) => cca.id === 'external-bulk')?.key;
    const summary = runs.find((run) => run.cell === cell)?.summary;
    const link = summary?.links.find(({ direction }) => direction === 'forward');
    expect(link?.utilisation).toBeGreaterThan(0.7);
    expect(link?.utilisation).toBeLessThanOrEqual(1);
    const receiver = summary?.receivers[0];
    expect(receiver?.throughput_mbps).toBeLessThanOrEqual(48);
    // The link counts headers, of 52 in 1500 bytes; what was on its way at the end, the program had not read.
    const payload = ((receiver?.received_bytes ?? 0) * 1448) / 1500;
    expect((await counted('sink')) / payload).toBeGreaterThan(0.97);
    expect((await counted('sink')) / payload).toBeLessThan(1.01);
    expect(realTimeProgramsOf(server.pid)).toEqual([]);

    const points = page.getByRole('group', { name: /Constant, 48 Mbps: points/ }).locator('[data-mark]');
    await expect(points).toHaveCount(2);
    const listing = await (await fetch(`${server.url}/api/v1/ccas`)).text();
    expect(listing).toContain('external-bulk');
    expect(listing).not.toContain('.mjs');

    const run = runs.find((one) => one.cell === cell)?.id ?? '';
    await page.goto(`${server.url}/r/${run}`);
    await new Panels(page).ready();
    const log = await saved(page, async () => {
      await page.getByRole('button', { name: 'Download', exact: true }).click();
      await expect(page.getByRole('menuitem', { name: 'Output of the sender' })).toHaveCount(0);
      await page.getByRole('menuitem', { name: 'Output of the receiver' }).click();
    });
    expect(log.toString()).toBe('listening at 5201\n');
  } finally {
    complaints.end();
    await server.dispose();
  }
});

test('the command line takes the same programs, and every datagram is accounted for', async () => {
  expect((await paceline('ccas', '--endpoints', endpoints)).stdout).toContain(
    'external-frames  Frames: 200 datagrams.',
  );
  const spec = join(folder, 'spec.json');
  const out = join(folder, 'out');
  await writeFile(
    spec,
    JSON.stringify({ duration_s: 3, traces: [{ rate_mbps: 10 }], ccas: [{ id: 'external-frames' }], vary: [] }),
  );
  await runInRealTime(spec, '--out', out, '--endpoints', endpoints);
  const { runs } = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8')) as {
    runs: {
      summary: { senders: { sent_packets: number; lost_packets: number }[]; receivers: { received_packets: number }[] };
    }[];
  };
  const summary = runs[0]?.summary;
  expect(summary?.senders[0]).toMatchObject({ sent_packets: await counted('sent'), lost_packets: 0 });
  expect(summary?.receivers[0]?.received_packets).toBe(await counted('arrived'));
  expect(await counted('arrived')).toBe(200);
});

test('a browser loads a page over the link', async () => {
  const site = join(folder, 'site.mjs');
  await writeFile(site, SITE);
  const program = {
    name: 'browser',
    label: 'Browser',
    summary: 'A page of 3 MB.',
    sender: [process.execPath, site, '{sender}', '{port}', join(folder, 'agent')],
    receiver: [
      ...[browser(), '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...['--user-data-dir=browser-{flow}', '--dump-dom', 'http://{sender}:{port}/'],
    ],
    calls: 'receiver',
  };
  await writeFile(endpoints, JSON.stringify({ programs: [program] }));
  const [spec, out] = [join(folder, 'spec.json'), join(folder, 'out')];
  // Long beside what it takes to start a browser on a busy machine: the page itself needs a second.
  const plan = { duration_s: 25, traces: [{ rate_mbps: 48 }], ccas: [{ id: 'external-browser' }], vary: [] };
  await writeFile(spec, JSON.stringify(plan));
  await runInRealTime(spec, '--out', out, '--endpoints', endpoints);
  const { runs } = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8')) as {
    runs: { reason: string | null; summary: RunSummary | null }[];
  };
  const [run] = runs;
  expect(await readFile(join(folder, 'agent'), 'utf8')).toContain('Chrome');
  // Headers, of 52 in 1500 bytes, and what HTTP says beside the page.
  const bytes = run?.summary?.receivers[0]?.received_bytes ?? 0;
  expect(bytes / ((3e6 * 1500) / 1448)).toBeGreaterThan(0.99);
  expect(bytes / ((3e6 * 1500) / 1448)).toBeLessThan(1.05);
  // The browser ended when it had the page: the flow's throughput is over the time until then.
  expect(run?.summary?.receivers[0]?.throughput_mbps).toBeGreaterThan((1.5 * bytes * 8) / 25e6);
  expect(run?.summary?.senders[0]).toMatchObject({ loss_episodes: null, timeouts: null, spurious_packets: null });
  expect(run?.summary?.senders[0]?.rtt.count).toBeGreaterThan(100);
});
