// What became of the papers' claims, as the README and docs/studies.md have it: from docs/studies.json, which `npm run studies` wrote.
import { readFileSync } from 'node:fs';
import { figureVerdict, originOf } from '#analysis/study-outcome';
import { StoredStudies } from '#protocol/study';
import type { Verdict } from '#protocol/study';

const MARKS: Readonly<Record<Verdict, string>> = {
  holds: '✓ holds',
  direction: '~ direction only',
  fails: '✗ fails',
  untestable: '– cannot be tested here',
  open: 'not run',
};

/** As a heading's address is made of its words. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

type Stored = StoredStudies['studies'][number];

const VERDICTS: readonly Verdict[] = ['holds', 'direction', 'fails', 'untestable'];

/** How many of each verdict; 0 is not written. */
const counts = (verdicts: readonly Verdict[]): string[] =>
  VERDICTS.map((verdict) => verdicts.filter((one) => one === verdict).length).map((n) => (n === 0 ? '' : String(n)));

const claimsOf = ({ figures }: Stored): Stored['figures'][number]['claims'] => figures.flatMap(({ claims }) => claims);

function summaryRow(study: Stored): string {
  const figures = counts(study.figures.map(({ claims }) => figureVerdict(claims)));
  const claims = counts(claimsOf(study).map(({ outcome }) => outcome.verdict));
  const both = figures.map((n, i) => (n === '' && claims[i] === '' ? '' : `${n || '0'} / ${claims[i] || '0'}`));
  const shown = claimsOf(study).filter(({ reason }) => reason?.shown === true).length;
  return row([`[${study.title}](docs/studies.md#${slug(study.title)})`, ...both, shown === 0 ? '' : String(shown)]);
}

function summary({ engine_version, studies }: StoredStudies): string {
  const heads = ['holds', 'direction only', 'fails', 'cannot be tested here'];
  return [
    row(['study: figures / claims', ...heads, 'of what does not hold, claims explained by a switch']),
    row(['---', '--:', '--:', '--:', '--:', '--:']),
    ...studies.map(summaryRow),
    '',
    `A figure is as good as the worst of its claims. As engine ${engine_version} met them; claim by claim, with the reasons, in [docs/studies.md](docs/studies.md).`,
    '',
    '<details>',
    '<summary>Figure by figure: how many of its claims</summary>',
    '',
    row(['figure', ...heads]),
    row(['---', '--:', '--:', '--:', '--:']),
    ...studies.flatMap(({ title, figures }) => [
      row([`**${title}**`, '', '', '', '']),
      ...figures.map(({ title: figure, claims }) =>
        row([figure, ...counts(claims.map(({ outcome }) => outcome.verdict))]),
      ),
    ]),
    '',
    '</details>',
  ].join('\n');
}

function claimRow(study: Stored, claim: Stored['figures'][number]['claims'][number]): string {
  const { text, outcome, reason } = claim;
  const why =
    reason === null
      ? ''
      : `${reason.text} ${reason.shown === true ? `(shown by “${reason.title}”${reason.numbers === null ? '' : `: ${reason.numbers}`})` : '(not shown)'}`;
  return row([text, MARKS[outcome.verdict], outcome.text, originOf(study, claim) ?? '', why]);
}

function details({ studies }: StoredStudies): string {
  return studies
    .map((study) => {
      const lines = study.figures.flatMap(({ title: figure, claims }) => [
        row([`**${figure}**`, `**${MARKS[figureVerdict(claims)]}**`, '', '', '']),
        ...claims.map((claim) => claimRow(study, claim)),
      ]);
      const head = [row(['claim', 'verdict', 'ours', 'networks', 'why']), row(['---', '---', '---', '---', '---'])];
      return [`### ${study.title}`, '', ...head, ...lines].join('\n');
    })
    .join('\n\n');
}

/** The file with what stands between its two marks made anew. */
function between(file: string, text: string): string {
  const [begin, end] = ['<!-- studies -->', '<!-- /studies -->'];
  const whole = readFileSync(file, 'utf8');
  const [from, to] = [whole.indexOf(begin), whole.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no ${begin} … ${end}`);
  return `${whole.slice(0, from + begin.length)}\n\n${text}\n\n${whole.slice(to)}`;
}

/** File name -> its text. */
export function studiesTables(root: string): ReadonlyMap<string, string> {
  const stored = StoredStudies.parse(JSON.parse(readFileSync(`${root}docs/studies.json`, 'utf8')));
  return new Map([
    ['README.md', between(`${root}README.md`, summary(stored))],
    ['docs/studies.md', between(`${root}docs/studies.md`, details(stored))],
  ]);
}
