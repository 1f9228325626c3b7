// What a figure that has left the page must still say of itself: what was run, with which engine, and where to see it again.
import { createContext } from 'react';
import type { Table } from './types';

/** `column` is its name in files; `text` stands in the caption, with the words that it needs there; empty: it is not for the caption. */
export interface Fact {
  readonly column: string;
  readonly value: string;
  readonly text: string;
}

export interface Provenance {
  readonly facts: readonly Fact[];
  readonly link: string;
}

/** Of the figures below it. */
export const ProvenanceContext = createContext<readonly Fact[]>([]);
/** Version of the engine behind the page, for what names none of its own; null: not known yet. */
export const EngineContext = createContext<string | null>(null);

/** The address to come back to, of a page that is read from a file; null: the browser's. */
export const AddressContext = createContext<(() => string) | null>(null);

export const engineFact = (version: string): Fact => ({
  column: 'engine_version',
  value: version,
  text: `engine ${version}`,
});

export const withEngine = (facts: readonly Fact[], installed: string | null): readonly Fact[] =>
  installed === null || facts.some(({ column }) => column === 'engine_version')
    ? facts
    : [...facts, engineFact(installed)];

/** The address of what is shown, with its view; what only lets a browser in is nobody else's. */
export function publicAddress(address: string): string {
  const url = new URL(address);
  if (!url.searchParams.has('token')) return address;
  url.searchParams.delete('token');
  return url.href;
}

export const captionOf = ({ facts }: Pick<Provenance, 'facts'>): string =>
  facts.flatMap(({ text }) => (text === '' ? [] : [text])).join(' · ');

export const asRecord = ({ facts, link }: Provenance): Record<string, string> => ({
  ...Object.fromEntries(facts.map(({ column, value }) => [column, value])),
  permalink: link,
});

/** The table with what its own columns do not say; the same in every row, so that it survives filters and joins, and no reader trips. */
export function withProvenance(table: Table, provenance: Provenance): Table {
  const added = Object.entries(asRecord(provenance)).filter(([column]) => !table.columns.includes(column));
  const values = added.map(([, value]) => value);
  function* rows(): Generator<readonly (string | number | null)[]> {
    for (const row of table.rows) yield [...row, ...values];
  }
  return { columns: [...table.columns, ...added.map(([column]) => column)], rows: rows() };
}
