// A study as one file to read anywhere: no script, no font, no address is fetched.
import { ccaNamesIn } from '#analysis/cca-label';
import { claimPicture, type ClaimPicture, type ClaimRow } from '#analysis/claim-picture';
import { dataBlock, n, reportHead, REPORT_END, safe } from '#analysis/report-page';
import { figureVerdict, originOf, sampleText } from '#analysis/study-outcome';
import type { CcaDescriptor } from '#protocol/cca';
import type { ClaimOutcome, Origin, Study, StudyRecord, Verdict } from '#protocol/study';

const WORDS: Readonly<Record<Verdict, string>> = {
  holds: 'holds',
  direction: 'direction only',
  fails: 'fails',
  untestable: 'cannot be tested here',
  open: 'not run',
};
const WIDTH = 720;

function rowMarks(
  { key, y, numbersY, paper, ours, inside, accepted, printed, measured }: ClaimRow,
  columns: ClaimPicture['columns'],
): string {
  const state = inside === null ? '' : inside ? ' in' : ' out';
  const at = n(y + 4);
  return [
    `<g class="row${state}"><text x="0" y="${at}">${safe(key)}</text>`,
    accepted === null
      ? ''
      : `<rect x="${n(accepted.from)}" y="${n(y - 7)}" width="${n(Math.max(accepted.to - accepted.from, 1))}" height="14" rx="2"/>`,
    printed === null
      ? ''
      : printed.from === printed.to
        ? `<path class="p" d="M${n(printed.from - 5)},${n(y)}l5,-5l5,5l-5,5z"/>`
        : `<path class="p" d="M${n(printed.from)},${n(y - 5)}v10M${n(printed.from)},${n(y)}H${n(printed.to)}M${n(printed.to)},${n(y - 5)}v10"/>`,
    measured === null
      ? ''
      : `${measured.low === null || measured.high === null ? '' : `<path class="o" d="M${n(measured.low)},${n(y)}H${n(measured.high)}"/>`}<circle class="o" cx="${n(measured.x)}" cy="${n(y)}" r="4"/>`,
    numbers(columns, numbersY + 4, { paper: safe(paper), ours: safe(ours) }, ' own'),
    '</g>',
  ].join('');
}

const numbers = (
  { paper, ours }: ClaimPicture['columns'],
  y: number,
  text: { readonly paper: string; readonly ours: string },
  own = '',
): string =>
  `${paper === null ? '' : `<text class="n" x="${paper}" y="${n(y)}">${text.paper}</text>`}<text class="n${own}" x="${ours}" y="${n(y)}">${text.ours}</text>`;

/** How an algorithm is called, by its id. */
type NameOf = (id: string) => string;

/** As the page draws it. */
export function claimSvg(claim: ClaimOutcome, nameOf: NameOf): string {
  const picture = claimPicture(claim, WIDTH, nameOf);
  if (picture === null) return '';
  const { width, height, top, bottom, columns, ticks, rows } = picture;
  const unit = claim.unit === '' ? '' : `, ${safe(claim.unit)}`;
  const axis = ticks
    .map(
      ({ x, text }) =>
        `<path class="t" d="M${n(x)},${top}V${bottom}"/><text class="t" x="${n(x)}" y="${bottom + 14}">${safe(text)}</text>`,
    )
    .join('');
  const heads = numbers(columns, 12, { paper: 'paper', ours: `ours${unit}` });
  const marks = rows.map((row) => rowMarks(row, columns)).join('');
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${safe(claim.text)}">${axis}${heads}${marks}</svg>`;
}

function claimHtml(claim: ClaimOutcome, origin: Origin | null, nameOf: NameOf): string {
  const { text, outcome, variants, reason } = claim;
  const others = variants
    .filter((variant) => variant.outcome.verdict !== 'open')
    .map(
      ({ title, origin, outcome: own, nearer }) =>
        `<li>${safe(title)} (${origin}): <b>${WORDS[own.verdict]}</b>, ${safe(own.text)}${nearer === true ? ', nearer to the paper' : ''}</li>`,
    );
  const why =
    reason === null
      ? ''
      : `<p>Why: ${safe(reason.text)} ${reason.shown === true ? `Shown by “${safe(reason.title)}”.` : reason.shown === false ? `But “${safe(reason.title)}” does not show it.` : ''}</p>`;
  return `<section><h3><span class="v ${outcome.verdict}">${WORDS[outcome.verdict]}</span> ${safe(text)}</h3><p>${[`${safe(outcome.text)}${origin === null ? '' : ` (${origin})`}`, safe(sampleText(outcome))].filter((part) => part !== '').join('; ')}</p>${claimSvg(claim, nameOf)}${why}${others.length === 0 ? '' : `<p>Under other conditions</p><ul>${others.join('')}</ul>`}</section>`;
}

const answersHtml = (answers: StudyRecord['answers']): string =>
  answers
    .map(({ title, origin, answers: own }) => {
      const items = own.map(
        ({ text, change }) =>
          `<li>${safe(text)}${change === null ? '' : `<br>What would change it: ${safe(change)}`}</li>`,
      );
      return `<h2>${safe(title)} (${origin})</h2><ul>${items.join('')}</ul>`;
    })
    .join('');

const STYLE = `
body{max-width:760px}
svg .n{text-anchor:end;fill:var(--soft)}svg text.t{text-anchor:middle;fill:var(--soft);font-size:11px}svg path.t{stroke:var(--line)}
svg rect{fill:var(--accent-soft)}svg .p{fill:none;stroke:var(--soft);stroke-width:1.4}svg .o{fill:var(--ink);stroke:var(--ink)}
.in .o{fill:var(--good);stroke:var(--good)}.out .o{fill:var(--danger);stroke:var(--danger)}.in .own{fill:var(--good)}.out .own{fill:var(--danger)}
.v{font-size:12px;padding:1px 8px;border-radius:10px;border:1px solid currentColor;white-space:nowrap}.v.holds{color:var(--good)}.v.fails{color:var(--danger)}.v.direction{color:var(--warning)}`;

/** Words to paste into a paper: what was run, with every parameter that the specs name. */
function methods({ experiments, title }: Study, { engine_version, experiments: standing }: StudyRecord): string {
  const parts = Object.entries(experiments).map(([key, { title: name, origin, spec }]) => {
    const own = standing.find((one) => one.key === key);
    const traces = spec.traces.map((trace) => ('trace' in trace ? trace.trace : `${trace.rate_mbps} Mbps`)).join('; ');
    const ccas = spec.ccas
      .map(({ id, params }) => {
        const said = Object.entries(params).map(([param, value]) => `${param} ${value}`);
        return said.length === 0 ? id : `${id} (${said.join(', ')})`;
      })
      .join(', ');
    const runs = own === undefined ? '' : ` (${own.runs_done} runs)`;
    return `${name}${runs}: ${ccas} over ${origin} traces (${traces}), base RTT ${spec.base_rtt_ms.join(', ')} ms, ${spec.duration_s} s, repetitions ${spec.repetitions}, seed ${spec.seed}.`;
  });
  return `${title}. Paceline, engine ${engine_version}, in virtual time. No warm-up is cut off. ${parts.join(' ')} Intervals are 95 %, Student’s t, over traces where there are three, else over repetitions.`;
}

/** `made`: an ISO date. `ccas`: as the engine lists them, for how they are called. */
export function studyReport(
  study: Study,
  record: StudyRecord,
  made: string,
  ccas: readonly Pick<CcaDescriptor, 'id' | 'label'>[],
): string {
  const nameOf = ccaNamesIn(ccas);
  const { title, question, paper, setup, figures, verdicts, experiments, engine_version } = record;
  const counts = (Object.keys(WORDS) as Verdict[])
    .filter((verdict) => verdicts[verdict] > 0)
    .map((verdict) => `${verdicts[verdict]} ${WORDS[verdict]}`)
    .join(', ');
  const contents = figures
    .map(({ title: figure, claims }) => {
      const verdict = figureVerdict(claims);
      return `<tr><td>${safe(figure)}</td><td><span class="v ${verdict}">${WORDS[verdict]}</span></td></tr>`;
    })
    .join('');
  const body = figures
    .map(
      ({ title: figure, note, claims }) =>
        `<h2>${safe(figure)}</h2>${note === '' ? '' : `<p>${safe(note)}</p>`}${claims.map((claim) => claimHtml(claim, originOf(record, claim), nameOf)).join('')}`,
    )
    .join('');
  const behind = experiments
    .map(
      ({ title: name, origin, runs_done, runs_total, why, experiment }) =>
        `<tr><td>${safe(name)}</td><td>${origin}</td><td>${runs_done} of ${runs_total}</td><td><code>${experiment ?? ''}</code></td><td>${safe(why)}</td></tr>`,
    )
    .join('');
  return `${reportHead({ title, style: STYLE })}<h1>${safe(title)}</h1><p>${safe(question)}</p>${paper === null ? '' : `<p>${safe(paper.authors)}: <cite>${safe(paper.title)}</cite>${paper.venue === '' ? '' : `, ${safe(paper.venue)}`}</p>`}<p>${safe(setup)}</p>
<p><b>${counts}</b>. Paceline, engine <code>${safe(engine_version)}</code>, ${safe(made)}.</p><table>${contents}</table>
<p>◇ the paper’s number, shaded what the tolerance accepts, ● ours with its 95 % interval.</p>
${answersHtml(record.answers)}${body}
<h2>Experiments</h2><table><tr><th>Experiment</th><th>Networks</th><th>Runs</th><th>Id</th><th>Why so</th></tr>${behind}</table>
<h2>Methods</h2><p>${safe(methods(study, record))}</p>
${paper === null ? '' : `<h2>Source</h2><pre>${safe(paper.bibtex)}</pre>`}
<h2>Specs</h2><details><summary>Each experiment as paceline run takes it</summary><pre>${safe(JSON.stringify(Object.fromEntries(Object.entries(study.experiments).map(([key, { spec }]) => [key, spec])), null, 1))}</pre></details>
${dataBlock(record)}
${REPORT_END}`;
}
