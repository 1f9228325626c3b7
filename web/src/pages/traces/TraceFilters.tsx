// What is looked for in the library: words, a technology, a place. How many there would be stands on each.
import { choicesOf, findTraces, type TraceFilter } from '#analysis/trace-library';
import type { TraceRecord } from '#protocol/api';
import { TextField } from '../../ui/text-field';
import { formatCount } from '../../ui/format';
import { Chip, Chips } from '../new/Chip';
import css from './traces.module.css';

interface TraceFiltersProps {
  readonly traces: readonly TraceRecord[];
  readonly filter: TraceFilter;
  readonly onChange: (change: Partial<TraceFilter>) => void;
}

export const TraceFilters = (props: TraceFiltersProps) => (
  <div className={css['filters']}>
    <div className={css['filter']}>
      <TextField
        label="Search traces"
        hideLabel
        type="search"
        placeholder="Name, place, tag:thesis …"
        value={props.filter.search}
        onChange={(search) => props.onChange({ search })}
      />
    </div>
    <Choices {...props} what="technology" label="Technology" />
    <Choices {...props} what="place" label="Place" />
  </div>
);

/** Everybody may say what they like of their traces: beyond these it is searched for. */
const MOST_CHOICES = 10;

interface ChoicesProps extends TraceFiltersProps {
  readonly what: 'technology' | 'place';
  readonly label: string;
}

function Choices({ traces, filter, onChange, what, label }: ChoicesProps) {
  const chosen = filter[what];
  const all = choicesOf(traces, what);
  const shown = all.filter(({ value }, i) => i < MOST_CHOICES || value === chosen);
  const left = new Map(
    choicesOf(findTraces(traces, { ...filter, [what]: '' }), what).map(({ value, count }) => [value, count]),
  );
  if (all.length === 0) return null;
  return (
    <div className={css['choices']}>
      <span aria-hidden="true">{label}</span>
      <Chips label={label}>
        {shown.map(({ value }) => (
          <Chip
            key={value}
            label={value}
            count={left.get(value) ?? 0}
            isOn={value === chosen}
            isDisabled={!left.has(value) && value !== chosen}
            onChange={(on) => onChange({ [what]: on ? value : '' })}
          />
        ))}
      </Chips>
      {all.length > shown.length ? <span>{`and ${formatCount(all.length - shown.length)} more`}</span> : null}
    </div>
  );
}
