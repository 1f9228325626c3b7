import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listCcas } from '#bridge/ccas';
import type { RunRef } from '#protocol/api';
import { shippedStudies } from '#server/studies/read-studies';
import { shippedTemplates } from '#server/templates/read-templates';
import { addresses, fileOf, PAGES } from './addresses.ts';
import { shownRuns, withoutMachine } from './answers.ts';
import { baseOf } from './base.ts';
import { complete } from './complete.ts';
import { addressOf, readContents, specOf } from './contents.ts';
import { leakIn, machineNames } from './leaks.ts';
import { precached, sitePage } from './page.ts';
import { sizesOf } from './sizes.ts';
import { clearSite, FILE_KINDS, SiteFiles, siteVersion, type SiteFile } from './site-files.ts';

const NOTHING = { experiments: [], runs: [], traces: [], studies: [], ccas: [], shares: [], lessons: [] };
const file = (name: string, kind: SiteFile['kind'], bytes = 10): SiteFile => ({ name, kind, bytes, sha256: 'a' });

describe('contents.json', () => {
  const templates = new Map(shippedTemplates().map(({ id, spec }) => [id, spec]));

  it.each(['whole', 'small'] as const)('names what there is: %s', async (which) => {
    const { experiments, studies, samples_of_algorithms } = readContents(which);
    for (const [key, experiment] of Object.entries(experiments))
      if (key !== 'home') expect(() => specOf(key, experiment, templates)).not.toThrow();
    const known = shippedStudies().map(({ id }) => id);
    expect(known).toEqual(expect.arrayContaining(studies.map(({ id }) => id)));
    const ccas = (await listCcas()).ccas.map(({ id }) => id);
    if (samples_of_algorithms !== 'all') expect(ccas).toEqual(expect.arrayContaining(samples_of_algorithms));
  });

  it.each(['whole', 'small'] as const)('has shares of its own experiments: %s', (which) => {
    const { experiments, shares } = readContents(which);
    const ids = new Map(Object.keys(experiments).map((key) => [key, `id-of-${key}`]));
    for (const { address } of shares) expect(addressOf(address, ids, () => ['r0', 'r1'])).not.toMatch(/[{}]/);
  });

  it('puts ids into addresses, and says what it does not know', () => {
    const ids = new Map([['home', 'abc']]);
    expect(addressOf('/compare?runs={home:0},{home:1}', ids, () => ['x', 'y'])).toBe('/compare?runs=x,y');
    expect(addressOf('/e/{home}', ids, () => [])).toBe('/e/abc');
    expect(() => addressOf('/r/{home:2}', ids, () => ['x'])).toThrow('home has no run 2');
    expect(() => addressOf('/e/{gone}', ids, () => [])).toThrow('no experiment gone');
  });
});

describe('addresses', () => {
  it('are all those of the router that name nothing', () => {
    const router = readFileSync(new URL('../../web/src/pages/router.tsx', import.meta.url), 'utf8');
    const fixed = [...router.matchAll(/path: '([^']+)'/g)].flatMap(([, path = '']) =>
      path.includes('$') ? [] : [path],
    );
    // One leads to another address, and its query with it.
    expect([...PAGES].sort()).toEqual(fixed.filter((path) => path !== '/' && path !== '/overlay').sort());
  });

  it('name each thing once, as a folder with the page in it', () => {
    const all = addresses({ ...NOTHING, experiments: ['a'], runs: ['b', 'b'], lessons: ['l'] });
    expect(all).toEqual(expect.arrayContaining(['/e/a', '/r/b', '/learn/l', '/new']));
    expect(all).toHaveLength(PAGES.length + 3);
    expect(fileOf('/e/a')).toBe('e/a/index.html');
  });
});

describe('what is written', () => {
  const out = mkdtempSync(join(tmpdir(), 'paceline-site-test-'));
  afterEach(() => rmSync(out, { recursive: true, force: true }));

  it('is packed, by the path that is asked', () => {
    const files = new SiteFiles(out, []);
    files.json('/runs/abc', { a: 1 });
    const packed = readFileSync(join(out, 'data/runs/abc.json.gz'));
    expect(JSON.parse(gunzipSync(packed).toString())).toEqual({ a: 1 });
    expect(files.all).toMatchObject([{ name: 'data/runs/abc.json.gz', kind: 'answers', bytes: packed.byteLength }]);
  });

  it('is refused where it names the machine, also inside what is packed', () => {
    const files = new SiteFiles(out, ['/home/somebody/', 'a-host']);
    expect(() => files.json('/doctor', { at: '/home/somebody/data' })).toThrow('/home/somebody/');
    expect(() => files.bytes('/x', Buffer.from('on a-host'), 'samples')).toThrow('a-host');
    expect(files.all).toEqual([]);
  });

  it('takes the place of a site that was built before, and of nothing else', () => {
    const site = join(out, 'site');
    new SiteFiles(site, []).plain('data/site.json', Buffer.from('{}'), 'answers');
    clearSite(site);
    expect(existsSync(site)).toBe(false);
    new SiteFiles(out, []).plain('thesis.txt', Buffer.from('mine'), 'page');
    expect(() => clearSite(out)).toThrow('no site');
    expect(existsSync(join(out, 'thesis.txt'))).toBe(true);
  });

  it('takes folders for names of the machine, and finds the first', () => {
    const names = machineNames('/data/of/a/build');
    expect(names).toContain('/data/of/a/build/');
    expect(names).not.toContain('/');
    expect(leakIn(Buffer.from('{"file":"/data/of/a/build/x"}'), names)).toBe('/data/of/a/build/');
    expect(leakIn(Buffer.from('{"file":"x"}'), names)).toBeNull();
  });

  it('is another version when any file is another', () => {
    const one = [file('a', 'page'), file('b', 'answers')];
    expect(siteVersion(one)).toBe(siteVersion([...one]));
    expect(siteVersion(one)).not.toBe(siteVersion([file('a', 'page'), file('c', 'answers')]));
  });
});

it('shows one run of each cell at a glance: the last of one flow alone, else the last of any', () => {
  const run = (id: string, cell: string, role: RunRef['role']): RunRef =>
    ({ id, cell, role, repetition: 0, state: 'done', reason: null, time_s: 1, summary: null }) satisfies RunRef;
  const runs = [
    run('a', 'x', 'solo'),
    run('b', 'x', 'solo'),
    run('c', 'x', 'baseline_pair'),
    run('d', 'y', 'self_pair'),
  ];
  expect(shownRuns(runs).map(({ id }) => id)).toEqual(['b', 'd']);
});

describe('where it lies on its host', () => {
  it.each([
    ['', '/'],
    ['/', '/'],
    ['lab', '/lab/'],
    ['/lab', '/lab/'],
    ['/people/me/lab.2/', '/people/me/lab.2/'],
  ])('%j is %s', (text, base) => expect(baseOf(text)).toBe(base));

  it.each(['https://x.example/lab', 'a b', '../up', '/a/./b', 'x"><script>', '%2e', 'ü'])('%j is no folder', (text) =>
    expect(() => baseOf(text)).toThrow(`--base ${text}: `),
  );
});

describe('the page', () => {
  const html = '<head>\n<meta charset="utf-8" />\n<script>one();</script>\n</head>';

  it('carries its policy before its first script, with the hash of that script', () => {
    const page = sitePage(html, '/');
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<script>'));
    expect(page).toMatch(/script-src 'self' 'wasm-unsafe-eval' 'sha256-[\w+/=]+'/);
    // Heeded in headers only; in a page browsers complain of it.
    expect(page).not.toContain('frame-ancestors');
    expect(page).toContain('"/manifest.webmanifest"');
    expect(sitePage(html, '/lab/')).toContain('"/lab/manifest.webmanifest"');
  });

  it('keeps the page, the engine and small answers from the first visit on', () => {
    const kept = precached([
      file('index.html', 'page'),
      file('e/abc/index.html', 'page'),
      file('assets/a.js', 'page'),
      file('engine/paceline.wasm', 'engine', 1e6),
      file('data/home.json.gz', 'answers'),
      file('data/runs.json.gz', 'answers'),
      file('data/large.json.gz', 'answers', 1e6),
      file('data/runs/abc.json.gz', 'answers'),
      file('data/runs/abc/samples.bin.gz', 'samples'),
    ]);
    expect(kept.page).toEqual(['./', 'assets/a.js', 'engine/paceline.wasm']);
    expect(kept.answers).toEqual(['data/home.json.gz', 'data/runs.json.gz']);
  });

  it('offers nothing that needs a machine', async () => {
    const { ccas } = withoutMachine(await listCcas());
    for (const { engines, unavailable } of ccas) expect(unavailable === undefined).toBe(engines.includes('virtual'));
  });
});

describe('what was built is checked', () => {
  let out = '';
  beforeEach(() => {
    out = mkdtempSync(join(tmpdir(), 'paceline-check-'));
  });
  afterEach(() => rmSync(out, { recursive: true, force: true }));

  it('what is missing is named, and what cannot be read', () => {
    const files = new SiteFiles(out, []);
    files.plain('index.html', Buffer.from('page'), 'page');
    files.plain('data/shares.json.gz', Buffer.from('no gzip'), 'answers');
    files.json('/experiments', { experiments: [{ id: 'abc', name: 'Half', runs_total: 4, runs_done: 2 }] });
    files.json('/partly', ['/runs/def/samples', '/ccas/cubic/sample']);
    const { missing, addresses } = complete(out, readContents('small'));
    const said = missing.join('\n');
    expect(said).not.toContain('index.html is missing: every site');
    expect(said).toContain('404.html is missing');
    expect(said).toContain('engine/paceline.wasm is missing');
    expect(said).toContain('data/shares.json.gz cannot be read');
    expect(said).toContain('Half has 2 of its 4 runs');
    expect(said).toContain('e/abc/index.html is missing');
    expect(said).toContain('data/experiments/abc/answers.json.gz is missing');
    expect(said).toContain('data/runs/def/samples.bin.gz is missing');
    expect(said).toContain('data/ccas/cubic/sample.json.gz is missing');
    expect(said).toContain('the share cubic-and-bbr is missing');
    expect(said).toContain('data/studies/uplink.json.gz is missing');
    expect(addresses).toEqual(expect.arrayContaining(['/', '/e/abc', '/studies/uplink']));
  });

  it('its size is told by what its files are for', () => {
    const files = new SiteFiles(out, []);
    files.plain('e/abc/index.html', Buffer.alloc(10), 'page');
    files.plain('data/precache.json', Buffer.alloc(1), 'page');
    files.plain('engine/paceline.wasm', Buffer.alloc(20), 'engine');
    files.plain('data/runs/abc.json.gz', Buffer.alloc(3), 'answers');
    files.plain('data/runs/abc/samples.bin.gz', Buffer.alloc(4), 'samples');
    files.plain('data/shares/x/runs/abc/control.json.gz', Buffer.alloc(5), 'samples');
    expect(sizesOf(out)).toEqual(
      FILE_KINDS.map((kind) => {
        const own = files.all.filter((one) => one.kind === kind);
        return { kind, files: own.length, bytes: own.reduce((sum, one) => sum + one.bytes, 0) };
      }),
    );
    expect(sizesOf(join(out, 'nothing')).every(({ files: n }) => n === 0)).toBe(true);
  });
});
