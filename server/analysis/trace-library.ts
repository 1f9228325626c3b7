// The library of traces as a person looks through it: found by words, by technology and place, in an order; and which trace a name means.
// The same for the page, the command line and the API.
import type { TraceRecord } from '#protocol/api';
import type { TraceFacts } from '#analysis/check-spec';
import { finder } from '#analysis/find-labelled';
import { isShippedRecording } from '#analysis/shipped-recording';
import { TRACE_FOLDERS, type LibrarySet } from '#protocol/spec';

/** What a plan must know of a trace. */
export const factsOf = ({ id, name, info }: TraceRecord): TraceFacts => ({
  id,
  name,
  mean_mbps: info.mean_mbps,
  period_ms: info.period_ms,
});

type Folder = (typeof TRACE_FOLDERS)[number];
const IN_FOLDER: Readonly<Record<Folder, (trace: Pick<TraceRecord, 'origin' | 'source'>) => boolean>> = {
  recordings: isShippedRecording,
  recipes: (trace) => trace.origin === 'library' && !isShippedRecording(trace),
  own: ({ origin }) => origin !== 'library',
};

/** It was made from a recipe, of which there may be other seeds. */
export const isFromRecipe = (trace: Pick<TraceRecord, 'origin' | 'source'>): boolean =>
  trace.origin === 'recipe' || IN_FOLDER.recipes(trace);

/** `5G` is all of that generation: `5G mmWave`, too. */
const isOf = (technology: string, wanted: string): boolean =>
  technology === wanted || technology.startsWith(`${wanted} `);

interface Keys {
  readonly folder?: Folder | undefined;
  readonly technology?: string | undefined;
  readonly place?: string | undefined;
}
const keysOf = (set: LibrarySet): Keys => set;

/** The traces that a set of the library means now, by their names. */
export function membersOf<T extends TraceRecord>(traces: readonly T[], set: LibrarySet): T[] {
  const { folder, technology, place } = keysOf(set);
  return traces
    .filter(
      (trace) =>
        (folder === undefined || IN_FOLDER[folder](trace)) &&
        (technology === undefined || isOf(trace.technology, technology)) &&
        (place === undefined || trace.place === place),
    )
    .sort((a, b) => compared(a.name, b.name) || compared(a.id, b.id));
}

/** What sets could be made of: `folders recordings (4), recipes (30), own (0); technologies 5G, …`. */
export function setsThereAre(traces: readonly TraceRecord[]): string {
  const folders = TRACE_FOLDERS.map((folder) => `${folder} (${traces.filter(IN_FOLDER[folder]).length})`);
  const said = (what: 'technology' | 'place'): string =>
    choicesOf(traces, what)
      .map(({ value }) => value)
      .join(', ');
  return `folders ${folders.join(', ')}; technologies ${said('technology')}; places ${said('place')}`;
}

const FOLDER_NAMES: Readonly<Record<Folder, string>> = {
  recordings: 'recordings',
  recipes: 'modelled traces',
  own: 'own traces',
};

/** `recordings`, `traces: 5G, City`. */
export function setName(set: LibrarySet): string {
  const { folder, technology, place } = keysOf(set);
  const what = folder === undefined ? 'traces' : FOLDER_NAMES[folder];
  const of = [technology, place].filter((word) => word !== undefined).join(', ');
  return of === '' ? what : `${what}: ${of}`;
}

/** What names a trace. */
export type NamedTrace = Pick<TraceRecord, 'id' | 'name' | 'origin' | 'formerly'>;

/**
 * The trace that a spec means: by content hash, then by name. What is shipped comes first, also by the names that it had, so that nothing
 * uploaded later changes what a shared spec means; then the newest of one's own. `traces`: the newest first, as the API gives them.
 */
export function traceNamed<T extends NamedTrace>(traces: readonly T[], reference: string): T | undefined {
  let best: T | undefined;
  let bestRank = Infinity;
  for (const trace of traces) {
    const rank = rankOf(trace, reference);
    if (rank >= bestRank) continue;
    best = trace;
    bestRank = rank;
  }
  return best;
}

function rankOf({ id, name, origin, formerly }: NamedTrace, reference: string): number {
  if (id === reference) return 0;
  const own = origin === 'library' ? 0 : 2;
  if (name === reference) return 1 + own;
  return formerly.includes(reference) ? 2 + own : Infinity;
}

/** A name that means this trace and no other one. */
export const nameIsItsOwn = (trace: NamedTrace, all: readonly NamedTrace[]): boolean =>
  all.every(({ id, name, formerly }) => id === trace.id || (name !== trace.name && !formerly.includes(trace.name)));

export const TRACE_KEYS = ['name', 'uploaded', 'duration', 'mean', 'technology'] as const;
export type TraceKey = (typeof TRACE_KEYS)[number];
/** `-mean`: the greatest first. */
export type TraceOrder = TraceKey | `-${TraceKey}`;
export const TRACE_ORDERS = TRACE_KEYS.flatMap((key): TraceOrder[] => [key, `-${key}`]) as [
  TraceOrder,
  ...TraceOrder[],
];
export const FIRST_TRACE_ORDER: TraceOrder = '-uploaded';

const ORDERS: Readonly<Record<TraceKey, (a: TraceRecord, b: TraceRecord) => number>> = {
  name: (a, b) => WORDS.compare(a.name, b.name),
  // What is shipped was there before anything of one's own. A clock that was set says nothing of what came first: the list does.
  uploaded: (a, b) => Number(b.origin === 'library') - Number(a.origin === 'library'),
  duration: (a, b) => a.info.period_ms - b.info.period_ms,
  mean: (a, b) => a.info.mean_mbps - b.info.mean_mbps,
  technology: (a, b) => WORDS.compare(a.technology, b.technology) || WORDS.compare(a.place, b.place),
};
/** As people count: 9.2 before 10.4. */
const WORDS = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const compared = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** `traces`: the newest first. Equal ones by name; those of which nothing is known come last in either direction. */
export function sortTraces<T extends TraceRecord>(traces: readonly T[], order: TraceOrder): T[] {
  const key = order.replace('-', '') as TraceKey;
  const direction = order.startsWith('-') ? -1 : 1;
  const places = new Map(traces.map(({ id }, place) => [id, place]));
  const placeOf = ({ id, origin }: TraceRecord): number =>
    key === 'uploaded' && origin !== 'library' ? (places.get(id) ?? 0) : 0;
  const unknown = ({ technology }: TraceRecord): number => Number(key === 'technology' && technology === '');
  return traces.toSorted(
    (a, b) =>
      unknown(a) - unknown(b) ||
      direction * (ORDERS[key](a, b) || placeOf(b) - placeOf(a)) ||
      ORDERS.name(a, b) ||
      compared(a.id, b.id),
  );
}

export interface TraceFilter {
  /** Words, each of which must stand somewhere; `tag:word` is a tag. */
  readonly search: string;
  /** Empty: any. */
  readonly technology: string;
  readonly place: string;
}

/** All that is said of a trace, its earlier names (an upload's first one is its file's) and its recipe's file. */
const saidOf = ({ name, formerly, technology, place, description, source, origin }: TraceRecord): string =>
  [name, ...formerly, technology, place, description, source, origin].join('\n');

export function findTraces<T extends TraceRecord>(
  traces: readonly T[],
  { search = '', technology = '', place = '' }: Partial<TraceFilter>,
): T[] {
  const finds = finder(search);
  return traces.filter((trace) => {
    if (technology !== '' && trace.technology !== technology) return false;
    if (place !== '' && trace.place !== place) return false;
    return search === '' || finds(saidOf(trace), trace.labels?.tags);
  });
}

export interface Choice {
  readonly value: string;
  readonly count: number;
}

/** What there is to choose from, the most frequent first. */
export function choicesOf(traces: readonly TraceRecord[], what: 'technology' | 'place'): Choice[] {
  const counts = new Map<string, number>();
  for (const { [what]: value } of traces) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || WORDS.compare(a.value, b.value));
}
