// The phases of an algorithm and what they mean; the one at the cross-hair, or where the replay stands, stands out.
import { useCallback, useSyncExternalStore } from 'react';
import type { CcaDescriptor } from '#protocol/cca';
import type { TimeView } from '../../charts/time-view';
import type { Replay } from '../../live/replay';
import type { RunSamples } from '../../plots/data';
import { phaseAt, phaseVariable } from './phase-at';
import css from './ccas.module.css';

interface PhaseStripProps {
  /** Of whom it is, where several are shown. */
  readonly title: string | null;
  readonly cca: CcaDescriptor;
  readonly states: Readonly<Record<string, string>>;
  readonly samples: RunSamples | undefined;
  readonly replay: Replay;
  readonly view: TimeView;
}

export function PhaseStrip({ title, cca, states, samples, replay, view }: PhaseStripProps) {
  const variable = phaseVariable(cca);
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = [replay.subscribeHead(listener), view.subscribe(listener), samples?.subscribe(listener)];
      return () => stops.forEach((stop) => stop?.());
    },
    [replay, view, samples],
  );
  const now = useSyncExternalStore(subscribe, () =>
    variable === undefined || samples === undefined
      ? null
      : phaseAt(samples, variable, view.cursor ?? replay.getHead()),
  );
  if (variable === undefined) return null;
  return (
    <div className={css['phases']} role="group" aria-label={`Phases of ${title ?? cca.label}`}>
      {title === null ? null : <h3>{title}</h3>}
      <dl>
        {variable.states.map((state) => (
          <div key={state} data-now={state === now ? '' : undefined}>
            <dt>
              {state}
              {state === now ? <span className="visually-hidden"> (now)</span> : null}
            </dt>
            <dd>{states[state] ?? ''}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
