// Own algorithms in experiments: like any other where they work, and harmless where they do not.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExperimentRecord, Problem, type RunRecord } from '#protocol/api';
import { BundleHead, ImportedBundle } from '#protocol/bundle';
import { OwnAlgorithm } from '#protocol/own-algorithm';
import { canonicalJson } from '#analysis/identity';
import { nativeDir } from '#bridge/programs';
import { unzipped, zipped } from '../bundle/testing.ts';
import { testFolder } from '../testing/folder.ts';
import { ownText } from '../testing/own-texts.ts';
import { QUICK, TestServer } from '../testing/server.ts';

const there = existsSync(join(nativeDir(), 'paceline.wasm'));
const folder = testFolder();
/** As it came from the version before, file by file. */
const BEFORE = join(import.meta.dirname, '../testing/fixtures/bundle-0.1.0');

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

async function keep(text: string): Promise<OwnAlgorithm> {
  const response = await fetch(server.url('/algorithms'), { method: 'POST', body: text });
  expect(response.status).toBe(201);
  return OwnAlgorithm.parse(await response.json());
}

/** The experiment when all of its runs are over. */
async function made(spec: Parameters<TestServer['submit']>[0]): Promise<ExperimentRecord> {
  const submitted = await server.submit(spec);
  await server.over(submitted);
  return server.json(`/experiments/${submitted.id}`, ExperimentRecord);
}

/** Those of the cells of one algorithm. */
const runsOf = ({ cells, runs }: ExperimentRecord, cca: string): ExperimentRecord['runs'] =>
  runs.filter(({ cell }) => cells.some(({ key, cca: own }) => key === cell && own.id === cca));

const textAt = async (path: string): Promise<string> => (await fetch(server.url(path))).text();

describe.skipIf(!there)('an experiment with an own algorithm', () => {
  it('is stored, replayed, exported and scored like any other', async () => {
    const { id, program } = await keep(ownText('Mine'));
    const record = await made({ ...QUICK, name: 'mine', ccas: [{ id }, { id: 'cubic' }], full_scores: true });
    expect(record.runs.map(({ state, reason }) => [state, reason])).toEqual(record.runs.map(() => ['done', null]));
    const roles = runsOf(record, id).map(({ role }) => role);
    expect(new Set(roles).size).toBe(3);
    const [run] = runsOf(record, id);
    const { manifest, cost, summary } = server.lab.experiments.run(run?.id ?? '');
    expect(manifest.flows[0]?.cca).toEqual({ id, params: { beta: 0.5 }, program });
    expect(summary?.links[0]?.utilisation).toBeGreaterThan(0.5);
    // Nobody can know what one thread of many costs.
    expect(cost).toBeNull();
    const samples = await fetch(server.url(`/runs/${run?.id ?? ''}/samples`));
    expect((await samples.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
    expect(await textAt(`/runs/${run?.id ?? ''}/export?format=csv`)).toMatch(/acks/);
    const csv = await textAt(`/experiments/${record.id}/export?format=csv`);
    expect(csv).toContain(id);
    const terms = JSON.parse(await textAt(`/experiments/${record.id}/terms`)) as { ccas: { label: string }[] };
    expect(terms.ccas.map(({ label }) => label)).toContain('Mine');
    expect(await textAt(`/experiments/${record.id}/report`)).toContain(
      `Mine is an algorithm of our own, whose text has the SHA-256 ${program}.`,
    );
    for (const path of [`packets?from_s=0&to_s=1`, 'queue-by-flow']) {
      const refused = Problem.parse(await (await fetch(server.url(`/runs/${run?.id ?? ''}/${path}`))).json());
      expect(refused).toMatchObject({ code: 'RUN_NOT_WATCHABLE' });
      expect(refused.detail).toMatch(/own algorithm/);
    }
    expect((await fetch(server.url(`/runs/${run?.id ?? ''}/oracle`))).status).toBe(200);
  });

  it('keeps the name and the figures of its version when there is a newer one', async () => {
    const first = await keep(ownText('Versioned'));
    const before = await made({ ...QUICK, name: 'before', ccas: [{ id: first.id }] });
    const second = await keep(ownText('Versioned', 'this.cwnd_bytes = Math.min(this.cwnd_bytes, 4 * mss_bytes);'));
    const after = await made({ ...QUICK, name: 'after', ccas: [{ id: first.id }, { id: second.id }] });
    const summaryOf = (record: ExperimentRecord, id: string): RunRecord['summary'] | undefined =>
      runsOf(record, id)[0]?.summary;
    expect(canonicalJson(summaryOf(after, first.id))).toBe(canonicalJson(summaryOf(before, first.id)));
    expect(canonicalJson(summaryOf(after, second.id))).not.toBe(canonicalJson(summaryOf(before, first.id)));
    const terms = JSON.parse(await textAt(`/experiments/${after.id}/terms`)) as { ccas: { label: string }[] };
    expect(terms.ccas.map(({ label }) => label).sort()).toEqual(['Versioned', 'Versioned v1']);
  });

  it('has no name that a report, a table or a file takes for anything but text', async () => {
    const { id } = await keep(ownText(`<b onclick="x">'&\\_%$#{}`).replace("label: 'acknow", "label: '<i>acknow"));
    const record = await made({
      ...QUICK,
      name: 'named',
      ccas: [{ id }, { id: 'cubic' }],
      buffers: [{ bdp: 1 }, { bdp: 2 }],
    });
    expect(record.runs_failed).toBe(0);
    const share = await server.post('/shares', { address: `/e/${record.id}`, title: 'named' });
    const { slug } = (await share.json()) as { slug: string };
    for (const path of [`/experiments/${record.id}/report`, `/shares/${slug}/file`]) {
      const html = await textAt(path);
      expect(html).toContain('onclick');
      expect(html).not.toMatch(/<b onclick|<i>acknow/);
    }
    const tex = await textAt(`/experiments/${record.id}/export?format=latex`);
    expect(tex).toContain(String.raw`\textless{}b onclick=''x''\textgreater{}'\&\textbackslash{}\_\%\$\#\{\}`);
  });

  it.each([
    ['throws in its thousandth acknowledgement', 'if (this.acks === 1000) null.x;', /, line 12: TypeError: [^(]*$/],
    ['never comes to an end', 'for (;;);', /, line 1[12]: .*steps/],
    ['takes all memory', 'const all = []; for (;;) all.push(new Uint8Array(1e6));', /memory|steps/],
    ['calls itself for ever', 'const f = () => f() + 1; f();', /, line 12: /],
    ['wants no window', 'this.cwnd_bytes = -1;', /a window of -/],
  ])('fails alone when it %s', async (what, onAck, reason) => {
    const { id } = await keep(ownText(`Bad ${what}`.slice(0, 40), onAck));
    const record = await made({ ...QUICK, name: what, ccas: [{ id }, { id: 'cubic' }] });
    const [own, cubic] = [id, 'cubic'].map((cca) => runsOf(record, cca)[0]);
    expect(own).toMatchObject({ state: 'failed' });
    expect(own?.reason).toMatch(reason);
    expect(cubic).toMatchObject({ state: 'done' });
    expect((await fetch(server.url('/ready'))).status).toBe(200);
    const again = await made({ ...QUICK, name: `${what}, again`, seed: 7, ccas: [{ id: 'cubic' }] });
    expect(again.runs.map(({ state }) => state)).toEqual(['done']);
  });

  it('takes its texts along in a bundle, and gives the same figures elsewhere', async () => {
    const { id, program } = await keep(ownText('Travels'));
    const record = await made({ ...QUICK, name: 'travels', ccas: [{ id }] });
    const response = await fetch(server.url(`/experiments/${record.id}/bundle`));
    const file = join(folder(), 'own.paceline.zip');
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    const files = await unzipped(file);
    const head = BundleHead.parse(JSON.parse(files.get('paceline-bundle.json')?.toString() ?? ''));
    expect(head.algorithms).toEqual([{ id, program, name: 'Travels', version: 1 }]);
    expect(files.get(`algorithms/${program}.ts`)?.toString()).toBe(ownText('Travels'));
    expect(files.get('README.md')?.toString()).toContain(`- Travels (\`${id}\`), SHA-256 \`${program}\``);
    const other = await TestServer.start();
    try {
      const body = readFileSync(file);
      const headers = { 'content-type': 'application/zip' };
      const bring = async (): Promise<ImportedBundle> =>
        ImportedBundle.parse(await (await fetch(other.url('/bundles'), { method: 'POST', headers, body })).json());
      const { spec, algorithms } = await bring();
      expect(algorithms).toEqual([id]);
      expect((await bring()).algorithms).toEqual([]);
      const again = await other.submit(spec);
      await other.over(again);
      expect(again.id).toBe(record.id);
      expect(canonicalJson((await other.lab.experiments.get(again.id)).runs[0]?.summary)).toBe(
        canonicalJson(record.runs[0]?.summary),
      );
    } finally {
      await other.close();
    }
  });
});

describe('a bundle from before own algorithms', () => {
  it('opens as ever', async () => {
    const entries = readdirSync(BEFORE, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = entries.map(({ parentPath, name }) => join(parentPath, name));
    const parts = files.map((file) => [relative(BEFORE, file), readFileSync(file)] as const);
    const body = readFileSync(await zipped(join(folder(), 'before.zip'), parts));
    const headers = { 'content-type': 'application/zip' };
    const response = await fetch(server.url('/bundles'), { method: 'POST', headers, body });
    const brought = ImportedBundle.parse(await response.json());
    expect(brought).toMatchObject({ name: 'from before', weights: [], algorithms: [] });
    expect(brought.traces).toHaveLength(1);
    const record = await made(brought.spec);
    expect(record.runs.map(({ state }) => state)).toEqual(['done']);
  });
});
