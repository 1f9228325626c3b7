// Any other parameter as an axis: which, and its values.
import { useMemo, useState } from 'react';
import { sweepName } from '#analysis/sweep-name';
import { sweepPlaces, type SweepPlace } from '#analysis/sweep-places';
import type { EngineListing } from '#protocol/cca';
import type { SweepValue } from '#protocol/sweep';
import { Select } from '../../ui/choice';
import { TextField } from '../../ui/text-field';
import { readValues, sameJson, type Draft } from './draft';
import type { ColumnProps } from './TracesColumn';
import css from './new.module.css';

const NONE = '';

/** What is there so far: the first value. */
function valueAt(draft: Draft, { path, param }: SweepPlace): SweepValue {
  if (param !== undefined) return param.default;
  const found = path
    .replace('.*', '.0')
    .split('.')
    .reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key], draft);
  return typeof found === 'number' || typeof found === 'boolean' || typeof found === 'string' ? found : 1;
}

/** `0.004 to 1 (1/packets)`, `of: linux, rfc`. */
function hintOf({ param }: SweepPlace): string | undefined {
  if (param === undefined) return undefined;
  if (param.type === 'boolean') return 'true, false';
  if (param.type === 'choice') return `of: ${param.choices.join(', ')}`;
  const range = param.min === null || param.max === null ? '' : `${param.min} to ${param.max}`;
  if (range === '') return param.unit || undefined;
  return param.unit === '' ? range : `${range} (${param.unit})`;
}

interface SweepFieldProps extends Pick<ColumnProps, 'draft' | 'change'> {
  readonly listing: EngineListing | undefined;
}

export function SweepField({ draft, change, listing }: SweepFieldProps) {
  const { ccas, queues, flows, elements, sweep } = draft;
  const places = useMemo(
    () => (listing === undefined ? [] : sweepPlaces({ ccas, queues, flows, elements }, listing)),
    [ccas, queues, flows, elements, listing],
  );
  const options = [
    { id: NONE, label: 'nothing else' },
    ...places.map(({ path }) => ({ id: path, label: sweepName(path) })),
    // A place that has gone stays named until somebody chooses another: the plan says what is wrong with it.
    ...(sweep === undefined || places.some(({ path }) => path === sweep.path)
      ? []
      : [{ id: sweep.path, label: sweepName(sweep.path) }]),
  ];
  const place = places.find(({ path }) => path === sweep?.path);
  return (
    <div className={css['pair']}>
      <Select
        label="Sweep"
        value={sweep?.path ?? NONE}
        options={options}
        onChange={(path) => {
          const chosen = places.find((candidate) => candidate.path === path);
          change({ sweep: chosen === undefined ? undefined : { path, values: [valueAt(draft, chosen)] } });
        }}
        help="Any other parameter as an axis: each value makes cells of its own."
      />
      {sweep === undefined ? null : (
        <ValuesField
          key={sweep.path}
          values={sweep.values}
          hint={place === undefined ? undefined : hintOf(place)}
          onChange={(values) => change({ sweep: { path: sweep.path, values } })}
        />
      )}
    </div>
  );
}

interface ValuesFieldProps {
  readonly values: readonly SweepValue[];
  readonly hint: string | undefined;
  readonly onChange: (values: SweepValue[]) => void;
}

function ValuesField({ values, hint, onChange }: ValuesFieldProps) {
  const written = values.join(', ');
  const [text, setText] = useState(written);
  const read = readValues(text);
  // The values changed elsewhere (the JSON editor): show them, unless the text says the same already.
  const [seen, setSeen] = useState(written);
  if (seen !== written) {
    setSeen(written);
    if (read === null || !sameJson(read, values)) setText(written);
  }
  return (
    <TextField
      label="Its values"
      help={hint === undefined ? 'Separated by commas.' : `Separated by commas; ${hint}.`}
      value={text}
      error={read === null ? 'One to a hundred values, separated by commas.' : undefined}
      onChange={(next) => {
        setText(next);
        const found = readValues(next);
        if (found !== null) onChange(found);
      }}
    />
  );
}
