// An experiment as one file to read anywhere: what came out in sentences, figures, tables, methods, sources and the numbers themselves.
import { bibtexOf } from '#analysis/bibtex';
import { seriesOf } from '#analysis/cca-series';
import { formatDuration, plural } from '#analysis/format';
import { figuresRecord } from '#analysis/figures-record';
import { baselineOf, isCompetitor } from '#analysis/kinds';
import { cellsCsv, fileLink } from '#analysis/report-data';
import { figureSteps, FIGURE_RULES, sweptLines } from '#analysis/report-figures';
import { MARK_RULES, reportSeries } from '#analysis/report-marks';
import { methodsText } from '#analysis/report-methods';
import { dataText, REPORT_END, reportHead, safe } from '#analysis/report-page';
import { MOST_ROWS, TABLE_RULES, tableSteps } from '#analysis/report-table';
import { disciplineOf, type CellResult } from '#analysis/results';
import { isShippedRecording } from '#analysis/shipped-recording';
import { tableOf } from '#analysis/table';
import type { TermTable } from '#analysis/terms';
import type { ExperimentAnswer } from '#protocol/answers';
import type { ExperimentListItem, TraceRecord } from '#protocol/api';
import type { EngineListing } from '#protocol/cca';
import type { ExperimentSpec } from '#protocol/spec';

export interface ReportInput {
  /** What somebody says of it, in Markdown; it stands as it was written. */
  readonly note?: string;
  /** An ISO date. */
  readonly made: string;
  /** Paceline's. */
  readonly version: string;
  readonly experiment: ExperimentListItem & { readonly spec: ExperimentSpec; readonly engine_version: string | null };
  readonly results: readonly CellResult[];
  readonly terms: TermTable;
  readonly answers: readonly ExperimentAnswer[];
  readonly listing: Pick<EngineListing, 'ccas' | 'queues'>;
  /** All that it runs over. */
  readonly traces: readonly TraceRecord[];
  /** BibTeX of the papers whose study this is. */
  readonly papers: readonly string[];
  /** Its page; null: there is none. */
  readonly permalink: string | null;
  /** A row per run; null: they are too many for this file. */
  readonly runs: Iterable<string> | null;
}

/** Cells whose numbers are in the data of the file. */
const MOST_CELLS = 2000;
/** Of the runs that do not count so many are named. */
const MOST_EXCLUDED = 20;

const STYLE = `${MARK_RULES}${FIGURE_RULES}${TABLE_RULES}
.lead{font-size:17px;color:var(--ink)}.answers{padding-left:18px;columns:2 420px;column-gap:44px}.answers li{margin:0 0 12px;break-inside:avoid}.answers b{color:var(--ink);font-weight:600}.answers small{display:block;color:var(--ink-3);font-size:13px}
.files{display:flex;flex-wrap:wrap;gap:6px 18px;padding:0;list-style:none}.more{color:var(--ink-3);font-size:13px}.facts{color:var(--ink-3);font-size:13px}
.note{white-space:pre-wrap;border-left:3px solid var(--line);padding-left:14px;color:var(--ink)}
.paste{border-left:3px solid var(--line);padding-left:14px}
@media print{.files{display:none}h2{break-after:avoid}figure,tr{break-inside:avoid}}`;

export function* experimentReport(input: ReportInput): Generator<string, void, undefined> {
  const { experiment, results, listing, terms } = input;
  const ccas = new Map(listing.ccas.map((cca) => [cca.id, cca]));
  const cells = results.map(({ cell }) => cell);
  const own = reportSeries((palette) => seriesOf(cells, ccas, palette), 's');
  const swept = sweptLines(results, experiment.spec);
  const lines = reportSeries((palette) => seriesOf(swept, ccas, palette, ({ key }) => key), 'w');
  yield reportHead({ title: experiment.name, style: `${STYLE}${own.rules}${lines.rules}` });
  yield headHtml(input);
  yield answersHtml(input);
  yield* figureSteps({
    results,
    terms,
    series: own.series,
    sweptSeries: lines.series,
    spec: experiment.spec,
    traces: input.traces,
  });
  yield* tableHtml(input);
  yield* aboutHtml(input, cells);
  yield* dataHtml(input);
  yield REPORT_END;
}

function headHtml({ experiment, note = '', made, permalink, results }: ReportInput): string {
  const { id, name, spec, engine_version, runs_total, runs_done, runs_failed, state } = experiment;
  const standing =
    state === 'done' && runs_failed === 0
      ? ''
      : ` <b>${runs_done} of ${runs_total} runs ended well, ${runs_failed} failed${state === 'running' || state === 'queued' ? '; it goes on' : ''}.</b>`;
  const where = permalink === null ? '' : `, on its page <code>${safe(permalink)}</code>`;
  return `<h1>${safe(name)}</h1>${spec.note === '' ? '' : `<p class="lead">${safe(spec.note)}</p>`}${note === '' ? '' : `<p class="note">${safe(note)}</p>`}
<p class="facts">${plural(results.length, 'cell')}, ${plural(runs_total, 'run')} of ${formatDuration(spec.duration_s)}.${standing} Experiment <code>${safe(id)}</code>${where}. Paceline, engine <code>${safe(engine_version ?? 'unknown')}</code>, ${safe(made)}.</p>`;
}

/** What a sentence stands on. */
function evidence({ over, repetitions, traces, left_out, places }: ExperimentAnswer): string {
  const scores = places
    .slice(0, 4)
    .map(({ label, score, interval }) => {
      const range = interval === null ? '' : ` (${interval.low.toFixed(2)} … ${interval.high.toFixed(2)})`;
      return `${label} ${score.toFixed(2)}${range}`;
    })
    .join(', ');
  const stands =
    over === 'networks'
      ? `ranks tested over ${plural(traces, 'network')}`
      : over === 'repetitions'
        ? `ranks tested over ${plural(repetitions, 'repetition')}`
        : 'too few repetitions to test ranks: they follow the bare scores';
  return `Scores ${scores}; ${stands}${left_out.length === 0 ? '' : `; without ${left_out.join(' and ')}, which nobody measured`}.`;
}

function answersHtml({ answers }: ReportInput): string {
  if (answers.length === 0) return '';
  const items = answers.map(
    (answer) =>
      `<li><b>${safe(answer.text)}</b>${answer.change === null ? '' : ` What would change it: ${safe(answer.change)}`}<small>${safe(evidence(answer))} <a href="#scores">Scores</a></small></li>`,
  );
  return `<h2 id="answers">What came out</h2><ul class="answers">${items.join('')}</ul>`;
}

function* tableHtml({ results, experiment, permalink }: ReportInput): Generator<string, void, undefined> {
  const rows = tableOf(results.slice(0, MOST_ROWS));
  yield '<h2 id="table">All cells</h2><p>Means over the runs that count, n of them; below each its 95 % interval over these runs, from three on.</p>';
  yield* tableSteps(rows);
  if (results.length > rows.length)
    yield `<p class="more">${results.length - rows.length} more cells are left out of this table: the files below have ${results.length > MOST_CELLS ? `the first ${MOST_CELLS}` : 'all'}, and ${permalink === null ? '' : `${safe(permalink)} or `}<code>GET /api/v1/experiments/${safe(experiment.id)}/export?format=csv</code> every run.</p>`;
  const excluded = results.flatMap((result) => result.excluded);
  const left = results.reduce((total, result) => total + result.left_out, 0);
  if (left === 0) return;
  const items = excluded
    .slice(0, MOST_EXCLUDED)
    .map(({ run, reason }) => `<li><code>${safe(run)}</code>: ${safe(reason)}</li>`);
  yield `<h3>Runs that do not count: ${left}</h3><ul>${items.join('')}${left > items.length ? `<li>and ${left - items.length} more</li>` : ''}</ul>`;
}

const KINDS: Readonly<Record<TraceRecord['origin'], string>> = {
  library: 'modelled, from a shipped recipe',
  recipe: 'modelled, from a recipe',
  upload: 'brought along',
  file: 'brought along',
  edit: 'edited from another trace',
};

function traceRow({ id, name, origin, source, licence, info, edit }: TraceRecord): string {
  const kind = isShippedRecording({ origin, source }) ? 'recorded or simulated by others' : KINDS[origin];
  return `<tr><td class="name">${safe(name)}</td><td>${kind}${edit === undefined ? '' : ` <code>${safe(edit.source.slice(0, 12))}</code>`}</td><td class="num">${info.mean_mbps.toPrecision(4)}</td><td><code>${safe(id)}</code></td><td>${safe(licence === '' ? 'not known' : licence)}</td><td>${safe(source)}</td></tr>`;
}

function* aboutHtml(input: ReportInput, cells: readonly CellResult['cell'][]): Generator<string, void, undefined> {
  const { experiment, listing, traces, papers, version } = input;
  const { spec, engine_version, runs_total, runs_done } = experiment;
  const ccas = new Map(listing.ccas.map((cca) => [cca.id, cca]));
  const known = new Map(traces.map((trace) => [trace.id, trace]));
  const methods = methodsText({ spec, cells, ccas, traces: known, engine_version, runs_total, runs_done });
  yield `<h2 id="methods">Methods</h2><p class="paste">${safe(methods)}</p>`;
  const rates = [...new Set(cells.filter(({ trace }) => 'rate_mbps' in trace).map(({ trace_name }) => trace_name))];
  yield '<h2 id="traces">Traces</h2>';
  if (rates.length > 0) yield `<p>Constant rates: ${safe(rates.join(', '))}.</p>`;
  if (traces.length > 0)
    yield `<div class="scroll"><table><thead><tr><th scope="col">Trace</th><th scope="col">Kind</th><th class="num" scope="col">Mean, Mbps</th><th scope="col">SHA-256 of its content</th><th scope="col">Licence</th><th scope="col">Source</th></tr></thead><tbody>${traces.map(traceRow).join('')}</tbody></table></div>`;
  const used = new Set(cells.map(({ cca }) => cca.id));
  for (const { cca } of spec.flows) if (cca !== '$cca') used.add(cca.id);
  if (spec.full_scores)
    for (const cca of listing.ccas.filter((one) => used.has(one.id) && isCompetitor(one)))
      used.add(baselineOf(listing, cca)?.id ?? cca.id);
  const queues = new Set(cells.map((cell) => disciplineOf(cell).id));
  const bibtex = bibtexOf({
    version,
    engine_version,
    ccas: listing.ccas.filter(({ id }) => used.has(id)),
    queues: listing.queues.filter(({ id }) => queues.has(id)),
    traces,
    pairs: spec.full_scores,
    papers,
  });
  yield `<h2 id="sources">Sources</h2><pre>${safe(bibtex)}</pre>`;
}

/** Everything else of the report as data: the cells' figures are those that the API gives. */
function* dataSteps({
  experiment,
  results,
  answers,
  traces,
  made,
  version,
}: ReportInput): Generator<string, void, undefined> {
  const head = dataText({
    format: 'paceline.experiment-report',
    version: 1,
    made,
    paceline: version,
    experiment,
    traces: traces.map(({ id, name, origin, licence, source, info }) => ({
      id,
      name,
      origin,
      licence,
      source,
      mean_mbps: info.mean_mbps,
    })),
    answers,
    cells_total: results.length,
  });
  yield `${head.slice(0, -1)},"cells":[`;
  let separator = '';
  for (const result of results.slice(0, MOST_CELLS)) {
    yield separator + dataText(figuresRecord(result));
    separator = ',\n';
  }
  yield ']}';
}

function* dataHtml(input: ReportInput): Generator<string, void, undefined> {
  const { experiment, results, runs } = input;
  const name = (what: string): string => `paceline-${experiment.id}-${what}`;
  yield '<h2 id="files">Files</h2><ul class="files"><li>';
  yield* fileLink(
    name('spec.json'),
    'application/json',
    [JSON.stringify(experiment.spec, null, 1)],
    'Spec, for paceline run',
  );
  yield '</li><li>';
  yield* fileLink(name('cells.csv'), 'text/csv', cellsCsv(results.slice(0, MOST_CELLS)), 'Cells, CSV');
  if (runs !== null) {
    yield '</li><li>';
    yield* fileLink(name('runs.csv'), 'text/csv', runs, 'Runs, CSV');
  }
  yield '</li><li>';
  yield* fileLink(name('report.json'), 'application/json', dataSteps(input), 'All numbers of this report, JSON');
  yield '</li></ul>';
  if (runs === null)
    yield `<p class="more">The ${experiment.runs_total} runs are too many for this file: <code>GET /api/v1/experiments/${safe(experiment.id)}/export?format=csv</code> has them, and so has <code>paceline run … --out DIR</code> in <code>summary.csv</code>.</p>`;
  yield `<details><summary>The spec</summary><pre>${safe(JSON.stringify(experiment.spec, null, 1))}</pre></details>`;
  yield '<script type="application/json" id="data">';
  yield* dataSteps(input);
  yield '</script>';
}
