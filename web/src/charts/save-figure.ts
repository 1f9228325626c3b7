// What a figure's menu saves and copies. What is heavy comes when it is asked for.
import type { FigureWords } from '#analysis/latex-figure';
import { toCsv } from './csv';
import { download } from './download';
import { svgToPng } from './export-png';
import type { figureSvg } from './export-svg';
import { asRecord, captionOf, withProvenance, type Provenance } from './provenance';
import type { Table } from './types';

export interface Saved {
  /** Of files, without extension. */
  readonly name: string;
  readonly title: string;
  readonly subtitle: string;
  readonly from: Provenance;
}

type Picture = ReturnType<typeof figureSvg>;

const software = (from: Provenance): string => `Paceline ${asRecord(from)['engine_version'] ?? ''}`.trim();

const wordsOf = ({ title, subtitle, from }: Saved): FigureWords => ({
  title,
  subtitle,
  facts: captionOf(from),
  link: from.link,
});

export function saveSvg({ name }: Saved, { svg }: Picture): void {
  download(`${name}.svg`, new Blob([svg], { type: 'image/svg+xml' }));
}

export async function savePng({ name, title, from }: Saved, made: Picture): Promise<void> {
  const texts = [
    { keyword: 'Title', text: title },
    { keyword: 'Description', text: captionOf(from) },
    { keyword: 'Software', text: software(from) },
    { keyword: 'Source', text: from.link },
    { keyword: 'Comment', text: JSON.stringify(asRecord(from)) },
  ];
  download(`${name}.png`, await svgToPng(made.svg, made.width, made.height, texts));
}

export async function savePdf({ name, title, subtitle, from }: Saved, made: Picture): Promise<void> {
  const { svgToPdf } = await import('./export-pdf');
  const description = [subtitle, captionOf(from)].filter((part) => part !== '').join('\n');
  const words = { title, description, link: from.link, software: software(from) };
  download(`${name}.pdf`, await svgToPdf(made.svg, made.width, made.height, words));
}

export function saveCsv({ name, from }: Saved, table: Table): void {
  download(`${name}.csv`, new Blob([toCsv(withProvenance(table, from))], { type: 'text/csv' }));
}

/** What is the same in all rows stands in the caption and at the head. */
export async function saveLatex(saved: Saved, table: Table): Promise<void> {
  const [{ latexTable }, { captionText }] = await Promise.all([
    import('#analysis/latex-table'),
    import('#analysis/latex-figure'),
  ]);
  const { name, from } = saved;
  const text = latexTable({
    ...table,
    caption: captionText(wordsOf(saved)),
    label: `tab:${name}`,
    comments: [from.link, ...from.facts.map(({ column, value }) => `${column}: ${value}`)],
  });
  download(`${name}.tex`, new Blob([text], { type: 'application/x-tex' }));
}

export async function captions(saved: Saved): Promise<{ text: string; latex: string; figure: string }> {
  const { captionText, captionLatex, figureLatex } = await import('#analysis/latex-figure');
  const words = wordsOf(saved);
  return { text: captionText(words), latex: captionLatex(words), figure: figureLatex(words, `${saved.name}.pdf`) };
}
