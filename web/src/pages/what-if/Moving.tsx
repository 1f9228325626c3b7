// The controls under a hand: the places that it goes through concern nothing else.
import { memo, type ComponentType } from 'react';
import { IconButton } from '../../ui/button';
import { Controls, type ControlsProps } from './Controls';
import { SweepStrip } from './SweepStrip';
import { useMoved } from './use-moved';
import type { MovingParts } from './use-stage';

interface MovingProps extends MovingParts, Pick<ControlsProps, 'offers'> {
  /** How they are laid out. */
  readonly as?: ComponentType<ControlsProps>;
}

export const Moving = memo(function Moving(props: MovingProps) {
  const { asked, known, onMove, onRest, swept, sweep, onSweep, offers, as: Laid = Controls } = props;
  const { spec, move } = useMoved(asked, onMove, onRest);
  return (
    <Laid
      spec={spec}
      change={move}
      listing={known.listing}
      traces={known.traces}
      offers={offers}
      above={(knob) => (sweep?.knob === knob.id ? <SweepStrip knob={knob} sweep={sweep} /> : null)}
      aside={({ id, label }) => (
        <IconButton
          size="small"
          icon="trace"
          kind={swept === id ? 'primary' : 'quiet'}
          aria-pressed={swept === id}
          label={`Whole range of ${label}`}
          onPress={() => onSweep(swept === id ? '' : id)}
        />
      )}
    />
  );
});
