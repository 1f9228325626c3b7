// What became of the papers' claims, as the README and docs/studies.md have it: from docs/studies.json, which `npm run studies` wrote.
import { readFileSync } from 'node:fs';
import { figureVerdict } from '#analysis/study-outcome';
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

function summary({ engine_version, studies }: StoredStudies): string {
  const verdicts: readonly Verdict[] = ['holds', 'direction', 'fails', 'untestable'];
  const lines = studies.map(({ title, figures }) => {
    const claims = figures.flatMap((figure) => figure.claims);
    const count = (verdict: Verdict): string =>
      String(claims.filter(({ outcome }) => outcome.verdict === verdict).length);
    const shown = claims.filter(({ reason }) => reason?.shown === true).length;
    return [`[${title}](docs/studies.md#${slug(title)})`, ...verdicts.map(count), String(shown)];
  });
  return [
    row([
      'study',
      'holds',
      'direction only',
      'fails',
      'cannot be tested here',
      'of what does not hold, explained by a switch',
    ]),
    row(['---', '--:', '--:', '--:', '--:', '--:']),
    ...lines.map(row),
    '',
    `Claims as engine ${engine_version} met them; figure by figure in [docs/studies.md](docs/studies.md).`,
  ].join('\n');
}

function details({ studies }: StoredStudies): string {
  return studies
    .map(({ title, figures }) => {
      const lines = figures.flatMap(({ title: figure, claims }) => [
        row([`**${figure}**`, `**${MARKS[figureVerdict(claims)]}**`, '', '']),
        ...claims.map(({ text, outcome, reason }) =>
          row([
            text,
            MARKS[outcome.verdict],
            outcome.text,
            reason === null
              ? ''
              : `${reason.text} ${reason.shown === true ? `(shown by “${reason.title}”)` : '(not shown)'}`,
          ]),
        ),
      ]);
      const head = [row(['claim', 'verdict', 'ours', 'why']), row(['---', '---', '---', '---'])];
      return [`### ${title}`, '', ...head, ...lines].join('\n');
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
