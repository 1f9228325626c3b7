// Which modules travel together. Left alone, the bundler makes a file of each set of modules that the same pages share, hundreds of them;
// and a request costs a browser, a server and a line more than the few kilobytes that are in most. Pure: chunks in, groups out.

/** A file as the bundler makes it by itself. */
export interface Part {
  readonly file: string;
  /** The module's that it is about. */
  readonly name: string;
  readonly modules: readonly string[];
  readonly bytes: number;
  /** Files that it cannot do without, and those that it may ask for. */
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  readonly isEntry: boolean;
  /** It is asked for by itself: its name is what others know it by. */
  readonly isDynamicEntry: boolean;
}

export interface Group {
  readonly name: string;
  readonly modules: readonly string[];
}

interface Chunk {
  readonly parts: readonly Part[];
  readonly bytes: number;
  /** Who fetches it when it is opened, and how much that counts. */
  readonly entries: ReadonlyMap<string, number>;
}

/** A request costs what so many bytes do before they are packed: 3 or 4 kB, about half of what six at a time, of 40 ms each, cost at 10 Mbps. */
const REQUEST_BYTES = 12_000;
/** Where most arrive counts as much as so many others. */
const ARRIVAL = { name: 'HomePage', weight: 15 } as const;

type Parts = ReadonlyMap<string, Part>;
type Sets = ReadonlyMap<string, ReadonlySet<string>>;

function reached(parts: Parts, from: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const go = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    parts.get(file)?.imports.forEach(go);
  };
  go(from);
  return seen;
}

/** By each entry what is there already, whichever way one has come to it. */
function thereBefore(parts: Parts, closures: Sets): Sets {
  const openers = new Map<string, Set<string>>();
  for (const [entry, files] of closures)
    for (const file of files)
      for (const opened of parts.get(file)?.dynamicImports ?? [])
        openers.set(opened, (openers.get(opened) ?? new Set()).add(entry));
  const all = new Set(parts.keys());
  const there = new Map<string, ReadonlySet<string>>(
    [...closures.keys()].map((entry) => [entry, parts.get(entry)?.isEntry === true ? new Set() : all]),
  );
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const [entry, before] of there) {
      const ways = [...(openers.get(entry) ?? [])].map((from) => [closures.get(from), there.get(from)]);
      const after = new Set([...before].filter((file) => ways.every((way) => way.some((files) => files?.has(file)))));
      if (after.size === before.size) continue;
      there.set(entry, after);
      isSettled = false;
    }
  }
  return there;
}

/** Bytes that are saved when two are one: a request for each entry that fetches both, less what others then fetch in vain. */
function gainOf(a: Chunk, b: Chunk): number {
  let gain = 0;
  for (const [entry, weight] of a.entries) gain += weight * (b.entries.has(entry) ? REQUEST_BYTES : -b.bytes);
  for (const [entry, weight] of b.entries) if (!a.entries.has(entry)) gain -= weight * a.bytes;
  return gain;
}

/** By each file which chunk it is in. */
const homesOf = (chunks: readonly Chunk[]): ReadonlyMap<string, Chunk> =>
  new Map(chunks.flatMap((chunk) => chunk.parts.map(({ file }) => [file, chunk] as const)));

/** Whether one needs the other by way of a third: as one file, it and the third would need one another. */
function isAround(homes: ReadonlyMap<string, Chunk>, from: Chunk, to: Chunk): boolean {
  const next = ({ parts }: Chunk): Chunk[] =>
    parts.flatMap(({ imports }) => imports.flatMap((file) => homes.get(file) ?? []));
  const seen = new Set<Chunk>([from]);
  const ahead = next(from).filter((chunk) => chunk !== to);
  while (ahead.length > 0) {
    const chunk = ahead.pop();
    if (chunk === to) return true;
    if (chunk === undefined || seen.has(chunk)) continue;
    seen.add(chunk);
    ahead.push(...next(chunk));
  }
  return false;
}

/** The two whose union saves most, if any saves anything. */
function bestPair(chunks: readonly Chunk[]): readonly [Chunk, Chunk] | null {
  const movable = chunks.filter(({ parts }) => !parts.some(({ isDynamicEntry }) => isDynamicEntry));
  const pairs = movable.flatMap((a, i) =>
    movable.slice(i + 1).flatMap((b) => {
      const gain = gainOf(a, b);
      return gain > 0 ? [{ gain, pair: [a, b] as const }] : [];
    }),
  );
  const homes = homesOf(chunks);
  const found = pairs
    .sort((a, b) => b.gain - a.gain)
    .find(({ pair: [a, b] }) => !isAround(homes, a, b) && !isAround(homes, b, a));
  return found?.pair ?? null;
}

const united = (a: Chunk, b: Chunk): Chunk => ({
  parts: [...a.parts, ...b.parts],
  bytes: a.bytes + b.bytes,
  entries: new Map([...a.entries, ...b.entries]),
});

/** Each file alone, with who fetches it. */
function apart(parts: Parts): Chunk[] {
  const entries = [...parts.values()].filter(({ isEntry, isDynamicEntry }) => isEntry || isDynamicEntry);
  const closures = new Map(entries.map(({ file }) => [file, reached(parts, file)]));
  const there = thereBefore(parts, closures);
  const fetches = (entry: string, file: string): boolean =>
    closures.get(entry)?.has(file) === true && there.get(entry)?.has(file) !== true;
  return [...parts.values()].map((part) => ({
    parts: [part],
    bytes: part.bytes,
    entries: new Map(
      entries
        .filter(({ file }) => fetches(file, part.file))
        .map(({ file, name }) => [file, name === ARRIVAL.name ? ARRIVAL.weight : 1]),
    ),
  }));
}

/** Groups of more than one file; what is in none stays as it is. What is asked for by itself keeps a file of its own. */
export function groupsOf(all: readonly Part[]): Group[] {
  const parts: Parts = new Map(all.map((part) => [part.file, part]));
  let chunks = apart(parts);
  for (let pair = bestPair(chunks); pair !== null; pair = bestPair(chunks)) {
    const [a, b] = pair;
    chunks = [...chunks.filter((chunk) => chunk !== a && chunk !== b), united(a, b)];
  }
  return chunks
    .filter((chunk) => chunk.parts.length > 1)
    .map((chunk, i) => ({ name: `shared-${i}`, modules: chunk.parts.flatMap(({ modules }) => modules) }));
}
