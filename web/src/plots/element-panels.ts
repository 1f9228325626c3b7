// Which of an element's columns share a panel: those of one unit, its own before those that all elements have.
import { ELEMENT_COLUMNS, TIME_COLUMN } from '#protocol/columns';
import type { StreamColumn, StreamInfo } from '#protocol/control';
import type { StreamData } from './data';

type ElementInfo = Extract<StreamInfo, { kind: 'element' }>;
export interface ElementStream extends StreamData {
  readonly info: ElementInfo;
}
export interface ElementPanel {
  readonly id: string;
  readonly unit: string;
  /** States and numbers do not mix. */
  readonly states: boolean;
  readonly columns: readonly StreamColumn[];
}

const COMMON = new Set<string>(ELEMENT_COLUMNS.map(({ name }) => name));
/** All that comes through would hide the few that are lost. */
const THROUGH = new Set<string>(['entered_packets', 'passed_packets']);

const isElement = (stream: StreamData): stream is ElementStream => stream.info.kind === 'element';

/** As packets meet them, data before acknowledgements. */
export const elementStreams = (streams: ReadonlyMap<number, StreamData>): ElementStream[] =>
  [...streams.values()].filter(isElement).sort((a, b) => a.info.stream - b.info.stream);

/** What each is called among the others: the second bottleneck of a direction is another one than the first. */
export function elementNames(places: readonly { readonly direction: string; readonly label: string }[]): string[] {
  const alike = ({ direction, label }: (typeof places)[number]) =>
    places.filter((other) => other.direction === direction && other.label === label);
  return places.map((place) => {
    const all = alike(place);
    const name = all.length === 1 ? place.label : `${place.label} ${all.indexOf(place) + 1}`;
    return place.direction === 'reverse' ? `${name}, acknowledgements` : name;
  });
}

/** All panels of an element, the one that says most first. */
export function elementPanels({ columns }: Pick<ElementInfo, 'columns'>): ElementPanel[] {
  const panels = new Map<string, StreamColumn[]>();
  const values = columns.filter(({ name }) => name !== TIME_COLUMN.name);
  const rank = ({ name }: StreamColumn): number => (THROUGH.has(name) ? 2 : COMMON.has(name) ? 1 : 0);
  for (const column of values.toSorted((a, b) => rank(a) - rank(b))) {
    const apart = (column.states ?? []).length > 0 ? `/${column.name}` : THROUGH.has(column.name) ? '/through' : '';
    const id = `${column.unit}${apart}`;
    panels.set(id, [...(panels.get(id) ?? []), column]);
  }
  return [...panels].map(([id, all]) => ({
    id,
    unit: all[0]?.unit ?? '',
    states: (all[0]?.states ?? []).length > 0,
    columns: all,
  }));
}

/** How many panels there are until all are asked for: states say most in least room. */
export const shownFirst = (panels: readonly ElementPanel[]): ElementPanel[] =>
  panels.slice(0, panels[0]?.states === true ? 2 : 1);

/** What is said of a panel whose lines would all be at zero; undefined: there is something to draw. */
export function idleText(
  { columns, states }: ElementPanel,
  stream: Pick<StreamData, 'rows' | 'column'>,
): string | undefined {
  if (states || stream.rows === 0) return undefined;
  let counted = false;
  for (const { name } of columns) {
    const values = stream.column(name);
    for (let row = 0; row < stream.rows; row++) {
      const value = values?.[row] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      if (value !== 0) return undefined;
      counted = true;
    }
  }
  const what = columns.map(({ label }) => label).join(', ');
  return counted ? `${what}: 0 throughout` : `${what}: never a value`;
}
