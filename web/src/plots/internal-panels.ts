// Which variables of the algorithms share a panel, and how their lines are told apart.
import { SENDER_COLUMNS } from '#protocol/columns';
import type { StreamColumn } from '#protocol/control';
import type { LegendItem } from '../charts/figure-props';
import type { SeriesStyle } from '../charts/types';
import type { Flow } from './flows';

const COMMON = new Set<string>(['time_s', ...SENDER_COLUMNS.map((column) => column.name)]);
/** Variables of one flow in one panel differ by their dashes; more of them, as forecasts for more and more ticks, by strength. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [10, 3, 2, 3]];
const FAINTEST = 0.25;

/** A variable of one flow. */
export interface Member {
  readonly flow: Flow;
  readonly column: StreamColumn;
}
export interface InternalPanel {
  readonly id: string;
  readonly heading: string;
  readonly unit: string;
  /** The flows' variables by name. */
  readonly variables: ReadonlyMap<string, readonly Member[]>;
}

/** The algorithms' own variables, without what all senders have. */
export const internalsOf = (flows: readonly Flow[]): Member[] =>
  flows.flatMap((flow) =>
    (flow.sender?.info.columns ?? []).filter(({ name }) => !COMMON.has(name)).map((column) => ({ flow, column })),
  );

/** Variables labelled `group: variable` are of a group. */
const GROUP = /^(.+?): (.+)$/;

/** Variables of the same name and unit share a panel, whichever flow they are of, and so do those of a group. */
export function internalPanels(numbers: readonly Member[]): InternalPanel[] {
  // Two flows of one colour are told apart by dashes: variables cannot be, too.
  const flows = [...new Set(numbers.map(({ flow }) => flow))];
  const together = new Set(flows.map(({ look }) => look.colour)).size === flows.length;
  const panels = new Map<string, { heading: string; unit: string; variables: Map<string, Member[]> }>();
  for (const member of numbers) {
    const { name, label, unit } = member.column;
    const group = together ? GROUP.exec(label)?.[1] : undefined;
    const id = `${group ?? name}/${unit}`;
    const panel = panels.get(id) ?? { heading: group ?? label, unit, variables: new Map<string, Member[]>() };
    panel.variables.set(name, [...(panel.variables.get(name) ?? []), member]);
    panels.set(id, panel);
  }
  // Alone of its group a variable is called by its whole name.
  return [...panels].map(([id, panel]) => {
    const [only, ...others] = panel.variables.values();
    return { id, ...panel, heading: others.length === 0 ? (only?.[0]?.column.label ?? panel.heading) : panel.heading };
  });
}

/** What sets the nth variable of a panel apart; nothing while it is alone. */
export function variableStyle({ variables: { size } }: InternalPanel, nth: number): Partial<SeriesStyle> {
  if (size === 1) return {};
  if (size <= DASHES.length) return { dash: DASHES[nth] ?? [] };
  return { dash: [], opacity: 1 - ((1 - FAINTEST) * nth) / (size - 1) };
}

/** Who is who in a panel of several variables. */
export function variableKeys(panel: InternalPanel, colour: string): LegendItem[] {
  const labels = [...panel.variables].map(([name, [first]]) => ({
    key: name,
    label: GROUP.exec(first?.column.label ?? '')?.[2] ?? name,
  }));
  if (labels.length === 1) return [];
  if (labels.length <= DASHES.length)
    return labels.map((label, nth) => ({ ...label, colour, dash: variableStyle(panel, nth).dash ?? [] }));
  return [
    { key: 'strength', label: `${labels[0]?.label ?? ''} (strong) … ${labels.at(-1)?.label ?? ''} (faint)`, colour },
  ];
}
