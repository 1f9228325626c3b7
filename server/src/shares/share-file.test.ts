import { mkdirSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ExperimentRecord } from '#protocol/api';
import { share } from '../cli/share.ts';
import { allRoutes } from '../http/app.ts';
import { asker } from '../http/ask.ts';
import { testFolder } from '../testing/folder.ts';
import { QUICK, TestServer } from '../testing/server.ts';
import { ShareFile } from './share-file.ts';
import { Shares } from './share-service.ts';

const folder = testFolder();
const HOSTILE = '</script><script>alert(1)</script><!-- & "quoted" \u2028';

let server: TestServer;
let experiment: ExperimentRecord;
beforeAll(async () => {
  server = await TestServer.start();
  experiment = await server.submit({ ...QUICK, name: HOSTILE, duration_s: 2, repetitions: 2 });
  await server.over(experiment);
});
afterAll(() => server.close());

/** The code of the page is not what is tested here; it, too, may hold what ends a script. */
function builtCode(): string {
  const built = `${folder()}/offline`;
  mkdirSync(built, { recursive: true });
  writeFileSync(`${built}/share.js`, 'const end = "</script><!--";');
  writeFileSync(`${built}/share.css`, 'a::after { content: "</style>"; }');
  return built;
}

async function fileOf(title: string, mostSampleBytes?: number): Promise<string> {
  const shares = new Shares(server.lab);
  const ask = asker(allRoutes(server.lab), server.lab.store.private)('all');
  const asked = { address: `/e/${experiment.id}`, title, note: HOSTILE };
  const { slug } = await shares.freeze(asked, { ask, signal: new AbortController().signal });
  const file = new ShareFile(shares, {
    folder: builtCode(),
    ...(mostSampleBytes === undefined ? {} : { mostSampleBytes }),
  });
  let text = '';
  for await (const piece of file.write(slug, 'http://here/s/x')) text += piece;
  return text;
}

const elements = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/<script type="text\/plain" id="([\w-]+)">([\s\S]*?)<\/script>/g)].map(
      ([, id = '', content = '']) => [id, content],
    ),
  );

describe('the file of a share', () => {
  it('is ended early by no name, note or piece of code', async () => {
    const text = await fileOf(HOSTILE.trim());
    const found = elements(text);
    const runs = experiment.runs.map(({ id }) => id);
    expect([...found.keys()].sort()).toEqual(
      ['share', ...runs.flatMap((id) => [`control-${id}`, `samples-${id}`])].sort(),
    );
    expect(text.match(/<script/g)).toHaveLength(found.size + 1);
    expect(text.match(/<\/script>/g)).toHaveLength(found.size + 1);
    expect(text.match(/<\/style>/g)).toHaveLength(1);
    expect(text).not.toContain('<!-- ');
    const { share: record, answers } = JSON.parse(found.get('share') ?? '') as {
      share: { note: string };
      answers: Record<string, { name: string }>;
    };
    expect(record.note).toBe(HOSTILE);
    expect(answers[`/experiments/${experiment.id}`]?.name).toContain('</script><script>alert(1)');
    expect(text).toContain('const end = "<\\/script>\\x3c!--";');
  });

  it('carries the samples of its runs as they are', async () => {
    const found = elements(await fileOf('samples'));
    const run = experiment.runs[0]?.id ?? '';
    const samples = gunzipSync(Buffer.from(found.get(`samples-${run}`) ?? '', 'base64'));
    const live = Buffer.from(await (await fetch(server.url(`/runs/${run}/samples`))).arrayBuffer());
    expect(samples.equals(live)).toBe(true);
    expect(live.length).toBeGreaterThan(1000);
  });

  it('says how many runs it has no room for', async () => {
    const found = elements(await fileOf('no room', 10));
    expect([...found.keys()]).toEqual(['share']);
    expect(JSON.parse(found.get('share') ?? '')).toMatchObject({ runs_left_out: 2, page: 'http://here/s/x' });
  });

  it('lets nothing but its own script run, and reaches nobody', async () => {
    const text = await fileOf('policy');
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(text) ?? [];
    expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[\w+/=]+';/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:/);
  });
});

it('paceline share freezes a view of the data folder, and lists it', async () => {
  const data = `${folder()}/cli`;
  const other = await TestServer.start({ dataDir: data });
  const own = await other.submit({ ...QUICK, duration_s: 1 });
  await other.over(own);
  await other.stop();
  const written: string[] = [];
  const print = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    const where = ['--data-dir', data];
    expect(await share([`http://lab:8080/e/${own.id}?x=1`, '--title', 'From a terminal', ...where])).toBe(0);
    expect(await share(['--list', '--json', ...where])).toBe(0);
    await expect(share(['/e/nothing', '--title', 'x', ...where])).rejects.toThrow('no view that can be frozen');
    await expect(share(['from-a-terminal', ...where])).rejects.toThrow('--out');
    await expect(share([`/e/${own.id}`, ...where])).rejects.toThrow('--title');
  } finally {
    print.mockRestore();
  }
  expect(written[0]).toBe('/s/from-a-terminal\n');
  expect(JSON.parse(written[1] ?? '')).toMatchObject({ shares: [{ address: `/e/${own.id}?x=1` }] });
});
