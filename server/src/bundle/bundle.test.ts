// A bundle from one data folder to another: the same bytes come out, and what was changed is named.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#analysis/identity';
import { Problem } from '#protocol/api';
import { BundledRun, BundleHead, ImportedBundle } from '#protocol/bundle';
import { RunManifest } from '#protocol/manifest';
import { runId } from '../identity.ts';
import { testFolder } from '../testing/folder.ts';
import { TestProcess, type Ended } from '../testing/process.ts';
import { QUICK, TestServer } from '../testing/server.ts';
import { hashOf, rehashed, unzipped, zipped, type Files } from './testing.ts';

const folder = testFolder();
const file = (name: string): string => join(folder(), name);
const TRACE = Array.from({ length: 3000 }, (_, i) => `${i + 1}\n`).join('');
const paceline = (...words: string[]): Promise<Ended> => new TestProcess('bin/paceline.mjs', words, folder()).ended();

async function withServer<T>(use: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await TestServer.start();
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** An experiment over a trace of one's own, as a bundle on disk. */
const made = (name: string) =>
  withServer(async (server) => {
    await fetch(server.url('/traces?name=mine.down&licence=CC0&source=A%20phone'), { method: 'POST', body: TRACE });
    const record = await server.submit({
      ...QUICK,
      traces: [{ trace: 'mine.down' }, { rate_mbps: 24 }],
      ccas: [{ id: 'cubic' }, { id: 'bbr' }],
      repetitions: 2,
      full_scores: true,
    });
    await server.over(record);
    const response = await fetch(server.url(`/experiments/${record.id}/bundle`));
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename=paceline-${record.id}.paceline.zip`);
    writeFileSync(file(name), Buffer.from(await response.arrayBuffer()));
    return server.lab.experiments.get(record.id);
  });

/** Each line of a file of lines. */
const linesOf = (files: Map<string, Buffer>, name: string): unknown[] =>
  (files.get(name)?.toString() ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);

describe('a bundle', () => {
  it('holds all of an experiment, imports elsewhere, and gives the same bytes there', async () => {
    const record = await made('b.zip');
    const files = await unzipped(file('b.zip'));
    const head = BundleHead.parse(JSON.parse(files.get('paceline-bundle.json')?.toString() ?? ''));
    expect(head).toMatchObject({
      experiment: record.id,
      measured: false,
      runs: record.runs_total,
      traces: [{ name: 'mine.down', licence: 'CC0', source: 'A phone', left_out: null }],
    });
    const [trace] = head.traces;
    expect(hashOf(files.get(`traces/${trace?.id ?? ''}.trace`) ?? '')).toBe(trace?.id);
    expect(files.get('README.md')?.toString()).toContain('- mine.down, SHA-256');
    // Ids are hashes: of the manifest, and of the summary beside it.
    for (const line of linesOf(files, 'manifests.ndjson')) {
      const { run, manifest } = line as { run: string; manifest: unknown };
      expect(runId(RunManifest.parse(manifest))).toBe(run);
    }
    const runs = linesOf(files, 'runs.ndjson').map((line) => BundledRun.parse(line));
    expect(runs.map(({ run }) => run)).toEqual(record.runs.map(({ id }) => id));
    for (const { run, summary, summary_sha256, samples_sha256 } of runs) {
      expect(hashOf(canonicalJson(summary))).toBe(summary_sha256);
      expect(samples_sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(summary).toEqual(record.runs.find(({ id }) => id === run)?.summary);
    }
    expect(files.get('report.html')?.toString()).toContain('For real-time traffic over mine.down');

    await withServer(async (other) => {
      const response = await fetch(other.url('/bundles'), {
        method: 'POST',
        headers: { 'content-type': 'application/zip' },
        body: readFileSync(file('b.zip')),
      });
      const imported = ImportedBundle.parse(await response.json());
      expect(imported).toMatchObject({ experiment: record.id, same_engine: true, traces: [trace?.id] });
      expect(other.lab.traces.get(trace?.id ?? '')).toMatchObject({
        name: 'mine.down',
        licence: 'CC0',
        origin: 'upload',
      });
      const again = await other.submit(imported.spec);
      await other.over(again);
      expect(again.id).toBe(record.id);
      expect((await other.lab.experiments.get(again.id)).runs.map(({ summary }) => canonicalJson(summary))).toEqual(
        record.runs.map(({ summary }) => canonicalJson(summary)),
      );
    });

    const verified = await paceline('verify', 'b.zip');
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(
          `^${record.runs_total} of ${record.runs_total} runs are the same, byte for byte: every summary, and the samples of ${record.runs_total} `,
        ),
      ),
    ]);
  });

  it('that was changed is refused by name, and whose claims do not hold is told run by run', async () => {
    await made('b.zip');
    const files: Files = await unzipped(file('b.zip'));
    const lines = linesOf(files as Map<string, Buffer>, 'runs.ndjson').map((line) => BundledRun.parse(line));
    const [first] = lines;
    const changed = structuredClone(first?.summary) as { links: { utilisation: number }[] };
    const link = changed.links[0];
    if (link === undefined) throw new Error('no link');
    link.utilisation /= 2;
    const withRun = (run: object): Files =>
      new Map([...files, ['runs.ndjson', [run, ...lines.slice(1)].map((line) => `${canonicalJson(line)}\n`).join('')]]);
    const verify = async (name: string, content: Files): Promise<Ended> =>
      paceline('verify', await zipped(file(name), content));

    // Somebody edits the results …
    const edited = await verify('1.zip', withRun({ ...first, summary: changed }));
    expect([edited.code, edited.stderr]).toEqual([2, expect.stringMatching(/runs\.ndjson was changed/)]);
    // … and the list of hashes …
    const listed = await verify('2.zip', rehashed(withRun({ ...first, summary: changed })));
    expect([listed.code, listed.stderr]).toEqual([
      2,
      expect.stringContaining(`run ${first?.run ?? ''}: its summary does not have the SHA-256`),
    ]);
    // … and the hash beside it: the claim itself does not hold.
    const claimed = await verify(
      '3.zip',
      rehashed(withRun({ ...first, summary: changed, summary_sha256: hashOf(canonicalJson(changed)) })),
    );
    expect(claimed.code).toBe(1);
    expect(claimed.stdout).toMatch(/^\d+ of \d+ runs are the same; 1 differ \(/);
    expect(claimed.stdout).toMatch(
      new RegExp(`${first?.run ?? ''} \\(solo, repetition 1\\): utilisation 0\\.\\d+ in the bundle, 0\\.\\d+ here`),
    );

    const samples = await verify('4.zip', rehashed(withRun({ ...first, samples_sha256: '0'.repeat(64) })));
    expect([samples.code, samples.stdout]).toEqual([
      1,
      expect.stringContaining('the summary is the same, but its samples are not'),
    ]);

    const head = JSON.parse(files.get('paceline-bundle.json')?.toString() ?? '') as object;
    const older = await verify(
      '5.zip',
      rehashed(new Map([...files, ['paceline-bundle.json', JSON.stringify({ ...head, engine_version: '0.0.1+old' })]])),
    );
    expect([older.code, older.stdout]).toEqual([
      0,
      expect.stringContaining('made by engine 0.0.1+old, made again by '),
    ]);

    const id = [...files.keys()].find((name) => name.startsWith('traces/')) ?? '';
    const other = await verify('6.zip', rehashed(new Map([...files, [id, TRACE.slice(0, 900)]])));
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining(`${id} does not have the SHA-256 of its name`),
    ]);
  });

  it('is made by the command line, without traces when asked, and says then which is missing', async () => {
    writeFileSync(file('mine.down'), TRACE);
    writeFileSync(file('spec.json'), JSON.stringify({ ...QUICK, traces: [{ trace: 'mine.down' }] }));
    const ran = await paceline(
      'run',
      'spec.json',
      '--out',
      'out',
      '--series',
      'none',
      '--bundle',
      'a.zip',
      '--data-dir',
      'data',
    );
    expect(ran.code).toBe(0);
    const { id } = JSON.parse(readFileSync(file('out/summary.json'), 'utf8')) as { id: string };
    const bundled = await paceline('bundle', id, '--data-dir', 'data', '--traces', 'licensed', '-o', 'none.zip');
    expect([bundled.code, bundled.stdout]).toEqual([0, 'none.zip\n']);
    const missing = await paceline('import', 'none.zip', '--data-dir', 'elsewhere');
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringMatching(/the trace mine\.down \([0-9a-f]{64}\) is not in the bundle: its licence is not known/),
    ]);
    const whole = await paceline('import', 'a.zip', '--data-dir', 'elsewhere');
    expect([whole.code, whole.stdout]).toEqual([
      0,
      expect.stringContaining('1 traces and 0 weights files are new here'),
    ]);
    expect((await paceline('verify', 'none.zip', '--data-dir', 'elsewhere')).code).toBe(0);
    const again = await paceline('run', 'a.zip', '--out', 'again', '--series', 'none');
    expect(again.code).toBe(0);
    expect((JSON.parse(readFileSync(file('again/summary.json'), 'utf8')) as { id: string }).id).toBe(id);
  });

  it('that is none is refused over HTTP with the reason', async () => {
    await withServer(async (server) => {
      const response = await fetch(server.url('/bundles'), {
        method: 'POST',
        headers: { 'content-type': 'application/zip' },
        body: 'PK nothing',
      });
      expect(Problem.parse(await response.json())).toMatchObject({ status: 422, code: 'BUNDLE_REFUSED' });
      expect((await fetch(server.url(`/experiments/${'a'.repeat(20)}/bundle`))).status).toBe(404);
    });
  });
});
