// What to mind when using a trace: what it is, where, and what to do. A place is a link to that time in the figure.
import type { TraceFlag, TraceInfo } from '#protocol/trace';
import type { TimeView } from '../../charts/time-view';
import { formatChosen, plural, UNIT_SPACE } from '../../ui/format';
import { Notice } from '../../ui/notice';
import css from './look.module.css';

const SHOWN = 6;
/** So much more than the place itself is shown, on each side. */
const AROUND = 2;

const at = (ms: number): string => `${formatChosen(Math.round(ms / 100) / 10)}${UNIT_SPACE}s`;

export function TraceFlags({ info, view }: { readonly info: TraceInfo; readonly view: TimeView }) {
  const { flags, warnings } = info;
  if (flags.length === 0 && warnings.length === 0) return null;
  return (
    <Notice kind="warning" title="What to mind">
      {flags.length === 0 ? (
        warnings.map((warning) => <div key={warning}>{warning}</div>)
      ) : (
        <ul className={css['flags']}>
          {flags.map((flag) => (
            <li key={flag.id}>
              <b>{flag.says}</b> {flag.advice}
              <Places flag={flag} view={view} />
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function Places({ flag, view }: { readonly flag: TraceFlag; readonly view: TimeView }) {
  if (flag.at.length === 0) return null;
  const show = ([from, to]: readonly [number, number]): void => {
    const margin = Math.max(AROUND * (to - from), 100);
    const [low, high] = view.extent;
    view.show([Math.max(low, (from - margin) / 1000), Math.min(high, (to + margin) / 1000)]);
    view.commit();
    document.querySelector('[data-plot="capacity"]')?.scrollIntoView({ block: 'nearest' });
  };
  const more = flag.places - Math.min(flag.at.length, SHOWN);
  return (
    <span className={css['places']}>
      {' at '}
      {flag.at.slice(0, SHOWN).map((place) => (
        <button key={place[0]} type="button" title="Show this time" onClick={() => show(place)}>
          {at(place[0])}
        </button>
      ))}
      {more > 0 ? `and ${plural(more, 'more place')}` : null}
    </span>
  );
}
