// A slider over the places of a rail whose values are not evenly spaced: the browser's own, which says aloud what a place means.
import { type CSSProperties, type ReactNode, useId } from 'react';
import css from './range.module.css';

interface RangeProps {
  readonly label: string;
  /** What the place means, in sight and aloud. */
  readonly text: string;
  readonly help?: string | undefined;
  readonly last: number;
  readonly place: number;
  readonly onChange: (place: number) => void;
  /** Between the name and the rail, over its whole length. */
  readonly above?: ReactNode;
  /** Beside what the place means. */
  readonly aside?: ReactNode;
}

export function Range({ label, text, help, last, place, onChange, above, aside }: RangeProps) {
  const id = useId();
  const share = last === 0 ? 0 : (place / last) * 100;
  return (
    <div className={css['range']}>
      <label htmlFor={id}>{label}</label>
      <span className={css['value']}>
        <output htmlFor={id}>{text}</output>
        {aside}
      </span>
      {above}
      <input
        id={id}
        type="range"
        min={0}
        max={last}
        step={1}
        value={place}
        aria-valuetext={text}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        style={{ '--share': `${share}%` } as CSSProperties}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      {help === undefined ? null : (
        <p id={`${id}-help`} className={css['help']}>
          {help}
        </p>
      )}
    </div>
  );
}
