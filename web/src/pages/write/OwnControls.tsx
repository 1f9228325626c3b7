// What can be moved of a run of one's own algorithm: its parameters first, then the link, in as many columns as there is room for.
import type { EngineListing } from '#protocol/cca';
import type { ExperimentSpec } from '#protocol/spec';
import { Fold } from '../../ui/fold';
import { durationKnob } from '../../what-if/knobs';
import {
  FlowsAndPath,
  Knobs,
  LinkFields,
  PlainParams,
  TransportField,
  transportOf,
  type ControlsProps,
} from '../what-if/Controls';
import { UNITS } from '../new/LimitFields';
import css from './write.module.css';

/** What of a link people move first, in plain sight. */
const FIRST = ['capacity', 'rate', 'rtt', ...UNITS.map(({ id }) => `limit/${id}`)];

/** The rest of it. */
const othersOf = ({ queues: [queue] }: ExperimentSpec, listing: EngineListing): string[] => [
  ...['place', 'loss', 'unit', 'discipline'],
  ...(listing.queues.find(({ id }) => id === queue?.id)?.params ?? []).map(({ name }) => `queue/${queue?.id}/${name}`),
];

export function OwnControls(props: ControlsProps) {
  const { spec, listing, change } = props;
  const [chosen] = spec.ccas;
  const cca = listing.ccas.find(({ id }) => id === chosen?.id);
  return (
    <div className={css['controls']} role="group" aria-label="What can be moved">
      {chosen === undefined || cca === undefined || cca.params.length === 0 ? null : (
        <section aria-label="Parameters" className={css['params']}>
          <h2>{cca.label}</h2>
          <PlainParams {...props} chosen={chosen} cca={cca} />
        </section>
      )}
      <LinkFields {...props} offers={FIRST} />
      <div className={css['folds']}>
        <Fold title="More of the link">
          <LinkFields {...props} offers={othersOf(spec, listing)} />
        </Fold>
        <Fold title="Transport and duration">
          <section aria-label="Transport and duration">
            <TransportField value={transportOf(spec)} change={change} />
            <Knobs {...props} knobs={[durationKnob(spec)]} />
          </section>
        </Fold>
        <FlowsAndPath {...props} />
      </div>
    </div>
  );
}
