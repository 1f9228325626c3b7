// What came of expectations as Markdown: a table, and the frontier as an image beside it, because what shows Markdown takes data: addresses out.
import { plainLine } from '#protocol/text';
import { foundOf, sentenceOf, type AssertReport } from './assert-report.ts';

/** Text and nothing else: no markup of Markdown or HTML, no cell's end, nobody called. */
export const markdownText = (text: string): string =>
  plainLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_{}[\]|~#!$]/g, (mark) => `\\${mark}`)
    .replaceAll('@', '&#64;');

const MARKS = { ok: '✅ ok', broken: '❌ broken', undecided: '❔ undecided' } as const;

/** `figure`: the image's name beside the file; null: there is none. */
export function reportMarkdown(report: AssertReport, figure: string | null): string {
  const rows = report.verdicts.map((one) => {
    const name = one.name === one.expected ? one.expected : `${one.name}: ${one.expected}`;
    return `| ${MARKS[one.verdict]} | ${markdownText(name)} | ${markdownText(foundOf(one))} | ${one.n} |\n`;
  });
  const notes = [
    ...report.failed.map(({ id, state, reason }) => `run ${id} is ${state}: ${reason ?? 'no reason given'}`),
    ...report.notes,
  ];
  return [
    `### ${markdownText(report.name)}\n\n${markdownText(sentenceOf(report))}\n\n`,
    '| | expected | found | n |\n| --- | --- | --- | --: |\n',
    ...rows,
    '\n',
    ...notes.map((note) => `- ${markdownText(note)}\n`),
    ...(figure === null
      ? []
      : [
          `\n![Throughput–delay frontier](${encodeURI(figure).replaceAll(/[()]/g, (c) => (c === '(' ? '%28' : '%29'))})\n`,
        ]),
  ].join('');
}
