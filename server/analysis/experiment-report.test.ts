// A report of an experiment: what is in it, that it fetches nothing, and that neither hostile names nor very many runs harm it.
import { describe, expect, it } from 'vitest';
import { bibtexOf, texText } from '#analysis/bibtex';
import { answersOf } from '#analysis/experiment-answers';
import { experimentReport, type ReportInput } from '#analysis/experiment-report';
import { figuresRecord } from '#analysis/figures-record';
import { METRICS } from '#analysis/metrics';
import { fileLink } from '#analysis/report-data';
import { safe } from '#analysis/report-page';
import { MOST_ROWS } from '#analysis/report-table';
import { resultsOf } from '#analysis/results';
import { termTable } from '#analysis/terms';
import { experimentOf, LISTING, type TestRun } from '#analysis/testing';
import { ExperimentSpec, type ExperimentSpecInput } from '#protocol/spec';

const HOSTILE = `</script><img src=x onerror=alert(1)>"'&\u0000\u0007\ud800\u2028`;

function inputOf(
  runs: readonly TestRun[],
  more: Partial<ReportInput> = {},
  spec: Partial<ExperimentSpecInput> = {},
): ReportInput {
  const measured = experimentOf(runs);
  const asked = ExperimentSpec.parse({
    traces: [{ trace: 'lte.down' }],
    ccas: [{ id: 'rival' }, { id: 'base' }],
    repetitions: 3,
    duration_s: 60,
    ...spec,
  });
  const results = resultsOf({ ...measured, spec: asked }, LISTING.ccas);
  return {
    made: '2026-01-02',
    version: '0.1.0',
    experiment: {
      id: 'exp',
      name: 'An experiment',
      state: 'done',
      created_at: '2026-01-01T00:00:00Z',
      traces: ['lte.down'],
      ccas: ['rival', 'base'],
      runs_total: runs.length,
      runs_done: runs.length,
      runs_failed: 0,
      spec: asked,
      engine_version: '1.2.3',
    },
    results,
    terms: termTable(results, 1, 200),
    answers: more.answers ?? answersOf(results),
    listing: LISTING,
    traces: [],
    papers: [],
    permalink: null,
    runs: ['a,b\r\n', '1,"2"\r\n'],
    ...more,
  };
}

const three = (run: Omit<TestRun, 'repetition'>): TestRun[] =>
  [0, 1, 2].map((repetition) => ({
    ...run,
    utilisation: run.utilisation - repetition / 100,
    queueing_ms: run.queueing_ms + repetition,
    repetition,
  }));

const RUNS: readonly TestRun[] = [
  ...three({ cca: 'rival', buffer: { bdp: 1 }, utilisation: 0.8, queueing_ms: 4 }),
  ...three({ cca: 'rival', buffer: { bdp: 5 }, utilisation: 0.9, queueing_ms: 30 }),
  ...three({ cca: 'base', buffer: { bdp: 1 }, utilisation: 0.85, queueing_ms: 12 }),
  ...three({ cca: 'base', buffer: { bdp: 5 }, utilisation: 0.99, queueing_ms: 80 }),
  {
    cca: 'base',
    buffer: { bdp: 5 },
    utilisation: 1,
    queueing_ms: 80,
    repetition: 3,
    state: 'failed',
    reason: 'it crashed <at once>',
  },
];

const report = (input: ReportInput): string => [...experimentReport(input)].join('');
const dataOf = (html: string): { cells: unknown[]; cells_total: number; answers: unknown[] } =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as never;
/** Names and attributes of all elements; text has no bracket of its own, and no value a quotation mark. */
function* elementsOf(
  html: string,
): Generator<{ readonly name: string; readonly attributes: ReadonlyMap<string, string> }> {
  const markup = html.replace(/(id="data">).*?(?=<\/script>)/s, '$1');
  for (const [, name = '', rest = ''] of markup.matchAll(/<([a-z0-9]+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/g))
    yield {
      name,
      attributes: new Map([...rest.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])),
    };
}

const LOADED = ['src', 'href', 'srcset', 'action', 'poster', 'data', 'xlink:href'];
const QUIET = new Set(
  'html head meta title style body h1 h2 h3 p b i br ul li a code small pre details summary script div figure figcaption table thead tbody tr th td svg g path rect text'.split(
    ' ',
  ),
);

/** Nothing is fetched, nothing runs: every bracket belongs to an element that is known to do neither. */
function expectQuiet(html: string): void {
  const elements = [...elementsOf(html)];
  const opened = html.replace(/(id="data">).*?(?=<\/script>)/s, '$1').match(/<(?!\/|!doctype)/g)?.length;
  expect(elements).toHaveLength(opened ?? 0);
  expect([...new Set(elements.map(({ name }) => name))].filter((name) => !QUIET.has(name))).toEqual([]);
  const attributes = elements.flatMap((element) => [...element.attributes]);
  const addresses = attributes.filter(([name]) => LOADED.includes(name)).map(([, to]) => to);
  expect(addresses.filter((to) => !to.startsWith('data:') && !to.startsWith('#'))).toEqual([]);
  expect(attributes.filter(([name]) => name.startsWith('on'))).toEqual([]);
  expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="application/json" id="data">']);
  expect(html.match(/<style>.*?<\/style>/s)?.[0]).not.toMatch(/@import|url\(/);
}

describe('the report of an experiment', () => {
  const input = inputOf(RUNS);
  const html = report(input);

  it('fetches nothing and runs nothing', () => expectQuiet(html));

  it('has the figures, the answers and every number of the API', () => {
    for (const id of [
      'answers',
      'frontier',
      'scores',
      'cells-utilisation',
      'cells-queueing_p95',
      'table',
      'methods',
      'sources',
      'files',
    ])
      expect(html, id).toContain(`id="${id}"`);
    const [first] = input.answers;
    expect(html).toContain(safe(first?.text ?? 'no answer'));
    expect(dataOf(html)).toMatchObject({
      cells_total: 4,
      answers: input.answers,
      cells: input.results.map((result) => JSON.parse(JSON.stringify(figuresRecord(result))) as unknown),
    });
    // The mean of 0.80, 0.79 and 0.78, in the table and in the grid.
    expect(html).toMatch(/<td class="num">79\.0<small>76\.4\u202f…\u202f81\.4<\/small>/);
    expect(html).toMatch(/>79\.0<\/text>/);
    expect(html).toContain('>3 of 4</td>');
    expect(html).toContain('<code>run-12</code>: it crashed &lt;at once&gt;');
  });

  it('tells algorithms apart by colour in either scheme, by marker and by dash', () => {
    expect(html).toMatch(/\.s0\{--c:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\)/);
    expect(html.match(/class="s0 f"/g)?.length).toBeGreaterThan(3);
    expect(html).toContain('color-scheme:light dark');
  });

  it('has methods to paste, with limits in BDP and bytes, seed, window, acknowledgements and statistics', () => {
    const methods = /id="methods">Methods<\/h2><p class="paste">(.*?)<\/p>/s.exec(html)?.[1] ?? '';
    for (const said of [
      '60 s a run',
      'base RTTs of 20 ms',
      '1 BDP (30.0\u00a0kB) and 5 BDP (150\u00a0kB)',
      'acknowledgements as Linux’ TCP',
      'a receive window of 6291456 bytes',
      'run 3 times',
      'when flows start',
      'the seed is 1',
      'Student’s t',
      'engine 1.2.3',
      'No warm-up',
    ])
      expect(methods).toContain(said);
  });

  it('has its files within it', () => {
    const files = new Map(
      [...html.matchAll(/<a download="paceline-exp-([^"]+)" href="data:[^,]+,([^"]*)"/g)].map(
        ([, name = '', text = '']) => [name, decodeURIComponent(text)],
      ),
    );
    expect([...files.keys()]).toEqual(['spec.json', 'cells.csv', 'runs.csv', 'report.json']);
    expect(ExperimentSpec.parse(JSON.parse(files.get('spec.json') ?? ''))).toEqual(input.experiment.spec);
    expect(files.get('runs.csv')).toBe('a,b\r\n1,"2"\r\n');
    expect(JSON.parse(files.get('report.json') ?? '')).toEqual(dataOf(html));
    const [head = '', ...rows] = (files.get('cells.csv') ?? '').trim().split('\r\n');
    expect(rows).toHaveLength(4);
    const at = head.split(',').indexOf(METRICS.utilisation.column);
    expect(Number(rows[0]?.split(',').at(at - head.split(',').length))).toBeCloseTo(0.79, 12);
  });

  it('lets nothing out of hostile names, wherever they stand', () => {
    const hostile = inputOf(
      [...three({ cca: 'rival', trace: HOSTILE, params: { '"><script>': HOSTILE }, utilisation: 0.8, queueing_ms: 4 })],
      { permalink: `http://x/${HOSTILE}`, papers: [HOSTILE] },
      {
        name: HOSTILE.replaceAll(/[\p{Cc}\p{Surrogate}\u2028]/gu, ''),
        note: HOSTILE.replaceAll(/[\p{Cc}\p{Surrogate}]/gu, ''),
      },
    );
    const trace = {
      id: 'f'.repeat(64),
      name: HOSTILE,
      origin: 'upload' as const,
      description: HOSTILE,
      licence: HOSTILE,
      source: HOSTILE,
      technology: HOSTILE,
      place: HOSTILE,
      formerly: [],
      created_at: '',
      spark: [1],
      info: { mean_mbps: 12, period_ms: 1000 },
    };
    const text = report({ ...hostile, experiment: { ...hostile.experiment, name: HOSTILE }, traces: [trace as never] });
    expectQuiet(text);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Surrogate}]/u);
    expect(dataOf(text)).toMatchObject({ cells_total: 1, experiment: { name: HOSTILE } });
  });

  it('of ten thousand runs is bounded, and says what is left out and where the rest is', () => {
    const runs = Array.from({ length: 2500 }, (_, i) =>
      [0, 1, 2, 3].map((repetition): TestRun => ({
        cca: 'rival',
        buffer: { bytes: 10_000 + i },
        utilisation: 0.5 + i / 10_000,
        queueing_ms: 5 + repetition,
        repetition,
      })),
    ).flat();
    const input = inputOf(runs, { runs: null, answers: [] });
    const pieces = [...experimentReport(input)];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_000_000);
    const text = pieces.join('');
    expect(text.length).toBeLessThan(25_000_000);
    expectQuiet(text);
    expect(text.match(/<tr>/g)?.length).toBeLessThan(MOST_ROWS + 20);
    expect(text).toContain(`${2500 - MOST_ROWS} more cells are left out of this table`);
    expect(text).toContain('The 10000 runs are too many for this file');
    expect(dataOf(text)).toMatchObject({ cells_total: 2500 });
    expect(dataOf(text).cells).toHaveLength(2000);
  });
});

it('what a document cannot hold is marked, and what would be markup is text', () => {
  expect(safe(`a<b>&"'\u0000\u009f\ud800é\t\n😀`)).toBe('a&lt;b&gt;&amp;&quot;&#39;\ufffd\ufffd\ufffdé\t\n😀');
  expect([...fileLink('x', 'text/csv', [`"'<\ud800😀`], 'y')].join('')).toBe(
    `<a download="x" href="data:text/csv;charset=utf-8,%22%27%3C%EF%BF%BD%F0%9F%98%80">y</a>`,
  );
});

it('BibTeX names program, algorithms, standards, recordings and methods, each once', () => {
  const bibtex = bibtexOf({
    version: '0.1.0',
    engine_version: '1.2.3',
    ccas: [
      { id: 'a', label: 'A & B', source: 'RFC 9438; Linux net/ipv4/tcp_a.c', kind: 'sender' },
      { id: 'b', label: 'B', source: 'RFC 9438', kind: 'sender' },
    ],
    queues: [],
    traces: [{ id: 'c'.repeat(64), name: 'A_drive', licence: 'CC BY 4.0', source: 'Somebody: {Cells}, 2020' }],
    pairs: true,
    papers: ['@misc{paper}', '@misc{paper}'],
  });
  expect(bibtex.match(/^@\w+\{[^,}]+/gm)).toEqual([
    '@software{paceline',
    '@unpublished{paceline-scores',
    '@techreport{paceline-jain',
    '@inproceedings{paceline-harm',
    '@misc{paper',
    '@misc{cca-a',
    '@techreport{rfc9438',
    `@misc{trace-${'c'.repeat(12)}`,
  ]);
  expect(bibtex).toContain('title = {Congestion control {A \\& B}}');
  expect(bibtex).toContain('howpublished = {Somebody: \\{Cells\\}, 2020}');
  expect(texText('50% of #1_a\\b ~^')).toBe(
    '50\\% of \\#1\\_a\\textbackslash{}b \\textasciitilde{}\\textasciicircum{}',
  );
});
