// What a figure's menu saves and copies. What is heavy comes when it is asked for.
import type { FigureWords } from '#analysis/latex-figure';
import { toCsv } from './csv';
import { download } from './download';
import { svgToPng } from './export-png';
import { figureSvg, type FigureParts } from './export-svg';
import { linkTo } from '../share/link';
import type { PlotPlace } from './embed';
import { embedAddress, embedCode, pageOfEmbed } from './embed-code';
import {
  asRecord,
  captionOf,
  publicAddress,
  withEngine,
  withProvenance,
  type Fact,
  type Provenance,
} from './provenance';
import type { Table } from './types';

export interface Saved {
  /** Of files, without extension. */
  readonly name: string;
  readonly title: string;
  readonly subtitle: string;
  readonly facts: readonly Fact[];
  /** Version of the installed engine; null: not known. */
  readonly engine: string | null;
  /** Where it is shown, with the view. */
  readonly address: string;
}

const sourceOf = ({ facts, engine, address }: Saved): Provenance => ({
  facts: withEngine(facts, engine),
  link: publicAddress(pageOfEmbed(address)),
});

const linkOf = (saved: Saved): string => sourceOf(saved).link;

type Picture = ReturnType<typeof figureSvg>;

/** What of the page it is made of. */
export type Drawn = Pick<FigureParts, 'legend' | 'theme'> & {
  readonly body: HTMLElement | null;
  readonly table: () => Table;
  /** Null: it has no address of its own. */
  readonly plot: PlotPlace | null;
};

function pictureOf(saved: Saved, { body, legend, theme }: Drawn): Picture {
  const { title, subtitle } = saved;
  if (body === null) throw new Error('There is nothing to save yet.');
  return figureSvg({ body, title, subtitle, legend, theme, provenance: sourceOf(saved) });
}

const software = (from: Provenance): string => `Paceline ${asRecord(from)['engine_version'] ?? ''}`.trim();

function wordsOf(saved: Saved): FigureWords {
  const from = sourceOf(saved);
  return { title: saved.title, subtitle: saved.subtitle, facts: captionOf(from), link: from.link };
}

function saveSvg(saved: Saved, drawn: Drawn): void {
  download(`${saved.name}.svg`, new Blob([pictureOf(saved, drawn).svg], { type: 'image/svg+xml' }));
}

async function savePng(saved: Saved, drawn: Drawn): Promise<void> {
  const { name, title } = saved;
  const from = sourceOf(saved);
  const made = pictureOf(saved, drawn);
  const texts = [
    { keyword: 'Title', text: title },
    { keyword: 'Description', text: captionOf(from) },
    { keyword: 'Software', text: software(from) },
    { keyword: 'Source', text: from.link },
    { keyword: 'Comment', text: JSON.stringify(asRecord(from)) },
  ];
  download(`${name}.png`, await svgToPng(made.svg, made.width, made.height, texts));
}

async function savePdf(saved: Saved, drawn: Drawn): Promise<void> {
  const { name, title, subtitle } = saved;
  const from = sourceOf(saved);
  const made = pictureOf(saved, drawn);
  const { svgToPdf } = await import('./export-pdf');
  const description = [subtitle, captionOf(from)].filter((part) => part !== '').join('\n');
  const words = { title, description, link: from.link, software: software(from) };
  download(`${name}.pdf`, await svgToPdf(made.svg, made.width, made.height, words));
}

function saveCsv(saved: Saved, { table }: Drawn): void {
  download(`${saved.name}.csv`, new Blob([toCsv(withProvenance(table(), sourceOf(saved)))], { type: 'text/csv' }));
}

/** What is the same in all rows stands in the caption and at the head. */
async function saveLatex(saved: Saved, { table }: Drawn): Promise<void> {
  const [{ latexTable }, { captionText }] = await Promise.all([
    import('#analysis/latex-table'),
    import('#analysis/latex-figure'),
  ]);
  const { name } = saved;
  const from = sourceOf(saved);
  const text = latexTable({
    ...table(),
    caption: captionText(wordsOf(saved)),
    label: `tab:${name}`,
    comments: [from.link, ...from.facts.map(({ column, value }) => `${column}: ${value}`)],
  });
  download(`${name}.tex`, new Blob([text], { type: 'application/x-tex' }));
}

/** A name that LaTeX reads as it stands. */
const plain = async (saved: Saved): Promise<Saved> => {
  const { latexLabel } = await import('#analysis/latex-table');
  return { ...saved, name: latexLabel(saved.name) || 'figure' };
};

/** Saves the PDF; the LaTeX that shows it. */
async function saveForLatex(saved: Saved, drawn: Drawn): Promise<string> {
  const named = await plain(saved);
  await savePdf(named, drawn);
  const { figureLatex } = await import('#analysis/latex-figure');
  return figureLatex(wordsOf(named), `${named.name}.pdf`);
}

async function captions(saved: Saved): Promise<{ text: string; latex: string }> {
  const { captionText, captionLatex } = await import('#analysis/latex-figure');
  const words = wordsOf(saved);
  return { text: captionText(words), latex: captionLatex(words) };
}

/** What goes to the clipboard, and what is said then. */
export interface ToCopy {
  readonly text: string;
  readonly said: string;
}

/** What each entry of the menu does. */
const ACTIONS = {
  svg: saveSvg,
  pdf: savePdf,
  png: savePng,
  csv: saveCsv,
  tex: saveLatex,
  snippet: async (saved: Saved, drawn: Drawn) => ({
    text: await saveForLatex(saved, drawn),
    said: 'PDF saved, LaTeX copied',
  }),
  caption: async (saved: Saved) => ({ text: (await captions(saved)).text, said: 'Caption copied' }),
  'latex-caption': async (saved: Saved) => ({ text: (await captions(saved)).latex, said: 'Caption copied' }),
  link: async (saved: Saved) => ({ text: await linkTo(linkOf(saved)), said: 'Link copied' }),
  embed: (saved: Saved, { plot, body }: Drawn) => {
    const height = body?.closest('figure')?.getBoundingClientRect().height ?? 0;
    return {
      text: embedCode(embedAddress(saved.address, plot) ?? saved.address, saved.title, height),
      said: 'Embed code copied',
    };
  },
} as const;
export type Action = keyof typeof ACTIONS;

/** Null: it is saved, and nothing is to be copied. */
export const act = async (action: Action, saved: Saved, drawn: Drawn): Promise<ToCopy | null> =>
  (await ACTIONS[action](saved, drawn)) ?? null;
