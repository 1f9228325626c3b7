// A report as the server and the command line make it: the numbers are the API's.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Problem } from '#protocol/api';
import { ExperimentAnswers } from '#protocol/answers';
import { FiguresPage } from '#protocol/figures';
import { testFolder } from '../testing/folder.ts';
import { TestProcess } from '../testing/process.ts';
import { QUICK, TestServer } from '../testing/server.ts';

const folder = testFolder();
let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

it('has the figures and the runs that the API gives, and nothing to fetch', async () => {
  const record = await server.submit({
    ...QUICK,
    name: 'Is <b>this</b> "safe"? </script>',
    traces: [{ rate_mbps: 12 }],
    ccas: [{ id: 'cubic' }, { id: 'bbr', params: {} }],
    buffers: [{ bdp: 1 }, { bdp: 4 }],
    repetitions: 3,
    full_scores: true,
  });
  await server.over(record);
  const response = await fetch(server.url(`/experiments/${record.id}/report`));
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename=paceline-${record.id}.html`);
  const html = await response.text();
  expect(html).toContain('Is &lt;b&gt;this&lt;/b&gt; &quot;safe&quot;? &lt;/script&gt;');
  expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="application/json" id="data">']);
  expect(
    [...html.matchAll(/\s(?:src|href)="([^"]{5})/g)].filter(
      ([, to = '']) => !to.startsWith('data:') && !to.startsWith('#'),
    ),
  ).toEqual([]);
  const data = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as {
    cells: unknown;
    answers: unknown;
  };
  const { cells } = await server.json(`/experiments/${record.id}/figures`, FiguresPage);
  expect(FiguresPage.shape.cells.parse(data.cells)).toEqual(cells);
  expect(data.answers).toEqual((await server.json(`/experiments/${record.id}/answers`, ExperimentAnswers)).answers);
  const csv = decodeURIComponent(/-runs\.csv" href="data:[^,]+,([^"]*)"/.exec(html)?.[1] ?? '');
  expect(csv).toBe(await (await fetch(server.url(`/experiments/${record.id}/export?format=csv`))).text());
  for (const id of ['frontier', 'scores', 'cells-utilisation', 'delays', 'shares'])
    expect(html).toContain(`<h2 id="${id}">`);
  expect(html).toContain('@techreport{rfc9438');
});

it('of an experiment that there is not is a problem with a name', async () => {
  const response = await fetch(server.url(`/experiments/${'a'.repeat(20)}/report`));
  expect(Problem.parse(await response.json())).toMatchObject({ status: 404, code: 'EXPERIMENT_UNKNOWN' });
});

it('is written by the command line beside the results, and again from the data folder', async () => {
  const spec = join(folder(), 'spec.json');
  writeFileSync(spec, JSON.stringify({ ...QUICK, ccas: [{ id: 'cubic' }, { id: 'bbr' }] }));
  const data = join(folder(), 'data');
  const paceline = (...words: string[]) => new TestProcess('bin/paceline.mjs', words, folder()).ended();
  const ran = await paceline(
    'run',
    spec,
    '--out',
    'out',
    '--series',
    'none',
    '--report',
    'first.html',
    '--data-dir',
    data,
  );
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('2 of 2 runs')]);
  const { id } = JSON.parse(readFileSync(join(folder(), 'out', 'summary.json'), 'utf8')) as { id: string };
  const again = await paceline('report', id, '--data-dir', data, '--out', 'again.html');
  expect([again.code, again.stdout]).toEqual([0, 'again.html\n']);
  const [first, second] = ['first.html', 'again.html'].map((name) => readFileSync(join(folder(), name), 'utf8'));
  expect(first).toContain('For real-time traffic over 12 Mbps at 1 BDP');
  expect(second).toBe(first);
  const none = await paceline('report', 'b'.repeat(20), '--data-dir', data);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('there is no experiment')]);
});
