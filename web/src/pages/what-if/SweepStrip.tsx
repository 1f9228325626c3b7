// Above a rail: what comes of each value along it, utilisation and queueing delay, each on its own scale.
import type { RunSummary } from '#protocol/summary';
import { formatDelay, formatPercent } from '../../ui/format';
import type { Knob } from '../../what-if/knobs';
import { lastPlace, placeOf } from '../../what-if/scale';
import type { Sweep } from '../../what-if/use-sweep';
import css from './what-if.module.css';

const HEIGHT = 36;
const INSET = 3;

const linkOf = ({ links }: RunSummary) => links.find(({ direction }) => direction === 'forward');
const LINES = [
  { name: 'utilisation', line: css['utilisation'], of: (s: RunSummary) => linkOf(s)?.utilisation, text: formatPercent },
  {
    ...{ name: 'queueing delay', line: css['delay'], text: formatDelay },
    of: (s: RunSummary) => linkOf(s)?.queueing_delay.mean_ms,
  },
] as const;

export function SweepStrip({ knob, sweep }: { readonly knob: Knob; readonly sweep: Sweep }) {
  const last = lastPlace(knob.scale);
  const lines = LINES.map(({ name, line, of, text }) => {
    const points = sweep.runs.flatMap(({ value, made }) => {
      const y = of(made.summary) ?? null;
      return y === null ? [] : [{ place: placeOf(knob.scale, value), y }];
    });
    const [least, most] = [Math.min(...points.map(({ y }) => y)), Math.max(...points.map(({ y }) => y))];
    const height = (y: number): number =>
      most === least ? HEIGHT / 2 : HEIGHT - INSET - ((y - least) / (most - least)) * (HEIGHT - 2 * INSET);
    const d = points.map(({ place, y }, i) => `${i === 0 ? 'M' : 'L'}${place},${height(y).toFixed(1)}`).join('');
    return { name, line, d, range: points.length === 0 ? '' : `${text(least)} to ${text(most)}` };
  });
  const at = placeOf(knob.scale, knob.value);
  const said = lines.map(({ name, range }) => `${name} ${range}`).join(', ');
  return (
    <div className={css['strip']}>
      <svg
        viewBox={`0 0 ${last} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${knob.label} over its range: ${said}`}
      >
        <path className={css['place']} d={`M${at},0V${HEIGHT}`} />
        {lines.map(({ name, line, d }) => (
          <path key={name} className={line} d={d} />
        ))}
      </svg>
      <p aria-hidden="true">
        {lines.map(({ name, line, range }) => (
          <span key={name} className={line}>
            {name} {range}
          </span>
        ))}
      </p>
    </div>
  );
}
