// A figure alone, to stand in another page: its address, the page that it is from, and the HTML that puts it there.
import { hrefOf, pathOf } from '../ui/place';
import type { PlotPlace } from './embed';
import { escapeXml } from './surface';

const KINDS: Readonly<Record<string, { readonly page: string; readonly needs: string }>> = {
  e: { page: 'e', needs: 'experiment' },
  r: { page: 'r', needs: 'run' },
  t: { page: 'traces', needs: 'trace' },
};

/** Parameters of its own page that say something of this figure: options of others are theirs. */
function ownParameters(url: URL, plot: string): void {
  for (const name of [...url.searchParams.keys()])
    if (name === 'token' || (name.includes('.') && !name.startsWith(`${plot}.`))) url.searchParams.delete(name);
}

/** Null: what is shown there cannot stand alone. */
export function embedAddress(page: string, plot: PlotPlace | null): string | null {
  const url = new URL(page);
  const path = pathOf(url.pathname);
  if (/^\/embed\/[ert]\//.test(path)) return url.href;
  const [, folder = '', id = ''] = /^\/(e|r|traces)\/([^/]+)\/?$/.exec(path) ?? [];
  const kind = Object.keys(KINDS).find((key) => KINDS[key]?.page === folder);
  if (plot === null || kind === undefined || KINDS[kind]?.needs !== plot.needs) return null;
  url.pathname = hrefOf(`/embed/${kind}/${id}/${plot.id}`);
  ownParameters(url, plot.id);
  return url.href;
}

/** Below the figure stands where it is from. */
const SOURCE_LINE_PX = 56;

/** The page with everything around it. */
export function pageOfEmbed(embed: string): string {
  const url = new URL(embed);
  const [, kind = '', id = ''] = /^\/embed\/([ert])\/([^/]+)\/[^/]+\/?$/.exec(pathOf(url.pathname)) ?? [];
  const page = KINDS[kind]?.page;
  if (page === undefined) return embed;
  url.pathname = hrefOf(`/${page}/${id}`);
  for (const name of ['theme', 'token']) url.searchParams.delete(name);
  return url.href;
}

export const embedCode = (address: string, title: string, figureHeight: number): string =>
  `<!-- Paceline must allow this page to show it: paceline serve --allow-embed ORIGIN -->\n<iframe src="${escapeXml(address)}" title="${escapeXml(title)}" width="100%" height="${Math.ceil(figureHeight) + SOURCE_LINE_PX}" style="border:0" loading="lazy"></iframe>\n`;
