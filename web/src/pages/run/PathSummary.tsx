// The path of a finished run as its packets met it: a box for each element, with what it did to them.
import type { ElementDescriptor } from '#protocol/cca';
import type { ElementSummary, LinkSummary, RunSummary } from '#protocol/summary';
import { elementNames } from '../../plots/element-panels';
import { formatReading } from '#analysis/reading-text';
import { formatCount, formatPercent, NO_VALUE } from '../../ui/format';
import css from './path-summary.module.css';

const DIRECTIONS: Record<LinkSummary['direction'], string> = { forward: 'Data', reverse: 'Acknowledgements' };

export const hasPath = ({ links }: RunSummary): boolean => links.some(({ path }) => path !== undefined);

interface PathSummaryProps {
  readonly summary: RunSummary;
  readonly elements: readonly ElementDescriptor[];
}

export function PathSummary({ summary, elements }: PathSummaryProps) {
  const about = (id: string): ElementDescriptor | undefined => elements.find((element) => element.id === id);
  return summary.links.flatMap(({ direction, path }) => {
    if (path === undefined) return [];
    const names = elementNames(
      path.map(({ element }) => ({ direction: 'forward', label: about(element)?.label ?? element })),
    );
    return (
      <div key={direction} className={css['direction']}>
        <h3>{DIRECTIONS[direction]}</h3>
        <ol aria-label={`Path of the ${DIRECTIONS[direction].toLowerCase()}, element by element`}>
          {path.map((element, i) => (
            // Elements have no identity of their own but their place.
            <li key={i}>
              <Box name={names[i] ?? element.element} summary={element} about={about(element.element)} />
            </li>
          ))}
        </ol>
      </div>
    );
  });
}

interface BoxProps {
  readonly name: string;
  readonly summary: ElementSummary;
  readonly about: ElementDescriptor | undefined;
}

function Box({ name, summary, about }: BoxProps) {
  const { entered_packets: entered, lost_packets: lost, copied_packets: copied, held_packets: held } = summary;
  return (
    <div className={css['box']}>
      <b title={about?.summary}>{name}</b>
      <dl>
        <dt>Entered</dt>
        <dd>{formatCount(entered)}</dd>
        <dt>Lost</dt>
        <dd title={entered === 0 ? undefined : formatPercent(lost / entered)}>{formatCount(lost)}</dd>
        {copied > 0 ? (
          <>
            <dt>Copied</dt>
            <dd>{formatCount(copied)}</dd>
          </>
        ) : null}
        {held > 0 ? (
          <>
            <dt title="Still within at the end">Held</dt>
            <dd>{formatCount(held)}</dd>
          </>
        ) : null}
        {figuresOf(summary, about).map(({ name: id, label, unit, help, value }) => (
          <div key={id}>
            <dt title={help}>{label}</dt>
            <dd>{figureText(value, unit)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** In the order in which the element declares them; what only an engine of before knew goes by its name. */
function figuresOf({ figures = {} }: ElementSummary, about: ElementDescriptor | undefined) {
  const known = (about?.figures ?? []).filter(({ name }) => name in figures);
  const others = Object.keys(figures).filter((name) => known.every((figure) => figure.name !== name));
  return [...known, ...others.map((name) => ({ name, label: name, unit: '', help: undefined }))].map((figure) => ({
    ...figure,
    value: figures[figure.name] ?? null,
  }));
}

const COUNTS = new Set(['', 'packets']);

function figureText(value: number | null, unit: string): string {
  if (value === null) return NO_VALUE;
  return COUNTS.has(unit) && Number.isInteger(value) ? formatCount(value) : formatReading(value, unit);
}
