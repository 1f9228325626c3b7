// How far something has come.
import { ProgressBar as AriaProgressBar } from 'react-aria-components';
import css from './progress.module.css';

interface Progress {
  readonly label: string;
  /** 0 … 1. */
  readonly value: number;
}

export const ProgressBar = ({ label, value }: Progress) => (
  <AriaProgressBar aria-label={label} value={Math.min(100, Math.max(0, value * 100))}>
    <span className={css['bar']}>
      <span className={css['fill']} style={{ width: `${Math.min(100, Math.max(0, value * 100))}%` }} />
    </span>
  </AriaProgressBar>
);

const RADIUS = 6;
const LENGTH = 2 * Math.PI * RADIUS;

export const ProgressRing = ({ label, value }: Progress) => (
  <AriaProgressBar
    aria-label={label}
    value={Math.min(100, Math.max(0, value * 100))}
    style={{ display: 'inline-flex' }}
  >
    <svg
      className={css['ring']}
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      strokeWidth="2"
      aria-hidden="true"
    >
      <circle className={css['rail']} cx="8" cy="8" r={RADIUS} />
      <circle
        className={css['arc']}
        cx="8"
        cy="8"
        r={RADIUS}
        strokeDasharray={LENGTH}
        strokeDashoffset={LENGTH * (1 - Math.min(1, Math.max(0, value)))}
      />
    </svg>
  </AriaProgressBar>
);
