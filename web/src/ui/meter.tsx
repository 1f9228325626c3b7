// How much of what there is is taken.
import { Meter as AriaMeter } from 'react-aria-components';
import css from './progress.module.css';

/** `value`: 0 … 1. */
export const Meter = ({
  label,
  value,
  text,
}: {
  readonly label: string;
  readonly value: number;
  readonly text: string;
}) => {
  const percent = Math.min(100, Math.max(0, value * 100));
  return (
    <AriaMeter aria-label={label} value={percent} valueLabel={text}>
      <span className={css['bar']}>
        <span className={css['fill']} style={{ width: `${percent}%` }} />
      </span>
    </AriaMeter>
  );
};
