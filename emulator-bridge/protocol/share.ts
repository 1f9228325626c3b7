// A share: a view of the page that never changes, by a name of its own below /s/.
import { z } from 'zod';
import { Maker } from '#protocol/access';
import { ExperimentId, MOST_SLUG_CHARACTERS, RunId, ShareSlug, TraceId } from '#protocol/ids';
import { line, text } from '#protocol/text';

const MOST_TITLE_CHARACTERS = 120;
export const MOST_NOTE_CHARACTERS = 5000;
/** Runs laid over one another, traces compared: no page shows more. */
export const MOST_SHOWN = 8;

export const ShareKind = z.enum(['experiment', 'run', 'overlay', 'trace', 'traces']);

export const NewShare = z.strictObject({
  address: z
    .string()
    .min(1)
    .max(8000)
    .describe('the page’s, with its query: /e/…, /r/…, /traces/…, /compare?runs=…, /traces/compare?ids=…'),
  title: line(MOST_TITLE_CHARACTERS).min(1),
  note: text(MOST_NOTE_CHARACTERS).trim().default('').describe('plain text; an empty line begins a paragraph'),
  slug: ShareSlug.optional().describe('absent: made from the title. One that is taken gets a number behind it'),
});

export const ShareRecord = z.object({
  slug: z.string(),
  title: z.string(),
  note: z.string(),
  kind: ShareKind,
  address: z.string().describe('of the live page, with the view’s query'),
  created_at: z.string(),
  engine_version: z.string().describe('that the server had when the share was made'),
  made_by: Maker.optional().describe('absent: it is everybody’s, or this server asks nobody'),
});

export const ShareList = z.object({ shares: z.array(ShareRecord) });

/** What the page read when the share was made: answers of the API by path below /api/v1, without queries, long lists whole. */
export const ShareAnswers = z.object({ share: ShareRecord, answers: z.record(z.string(), z.unknown()) });

/** A page of which there can be shares, and what it is about. */
export interface SharedPage {
  readonly kind: ShareKind;
  readonly ids: readonly string[];
  readonly path: string;
  /** With its question mark; empty: none. */
  readonly query: string;
}

const listed = (query: URLSearchParams, key: string): string[] => [
  ...new Set(
    (query.get(key) ?? '')
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  ),
];

const all = (ids: readonly string[], schema: z.ZodType): boolean => ids.every((id) => schema.safeParse(id).success);

/** What an address shows, whole or from its path on; null: no share can be made of it. */
export function sharedPage(address: string): SharedPage | null {
  if (!URL.canParse(address, 'http://paceline')) return null;
  const { pathname, search, searchParams } = new URL(address, 'http://paceline');
  const [first = '', second = '', ...more] = pathname.replace(/^\/|\/$/g, '').split('/');
  const page = (kind: ShareKind, ids: readonly string[], schema: z.ZodType): SharedPage | null =>
    more.length === 0 && ids.length > 0 && ids.length <= MOST_SHOWN && all(ids, schema)
      ? { kind, ids, path: `/${second === '' ? first : `${first}/${second}`}`, query: search }
      : null;
  if (first === 'e') return page('experiment', [second], ExperimentId);
  if (first === 'r') return page('run', [second], RunId);
  // Runs compared; `overlay` is what their address was once.
  if ((first === 'compare' || first === 'overlay') && second === '')
    return page('overlay', listed(searchParams, 'runs'), RunId);
  if (first !== 'traces') return null;
  return second === 'compare' ? page('traces', listed(searchParams, 'ids'), TraceId) : page('trace', [second], TraceId);
}

/** A slug that says the title; empty when nothing of it can be written so. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_SLUG_CHARACTERS)
    .replace(/^-|-$/g, '');

export type NewShare = z.infer<typeof NewShare>;
export type NewShareInput = z.input<typeof NewShare>;
export type ShareKind = z.infer<typeof ShareKind>;
export type ShareRecord = z.infer<typeof ShareRecord>;
export type ShareList = z.infer<typeof ShareList>;
export type ShareAnswers = z.infer<typeof ShareAnswers>;
