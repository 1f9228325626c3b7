// The steps of an edit, one after the other.
import type { TraceRecord } from '#protocol/api';
import type { EditStep } from '#protocol/edit';
import { StepCard } from './StepCard';
import { moved } from './steps';
import type { StepFault } from './use-sketches';
import css from './edit.module.css';

interface StepListProps {
  readonly steps: readonly EditStep[];
  readonly active: number;
  readonly fault: StepFault | null;
  /** Of the trace, and after each step. */
  readonly lengths: readonly number[];
  readonly traces: readonly TraceRecord[];
  readonly onChoose: (place: number) => void;
  readonly onChange: (steps: readonly EditStep[], active: number | null) => void;
}

export function StepList({ steps, active, fault, lengths, traces, onChoose, onChange }: StepListProps) {
  if (steps.length === 0) return <p className={css['hint']}>No steps yet. The chart shows the trace as it is.</p>;
  return (
    <ol className={css['steps']} aria-label="Steps">
      {steps.map((each, place) => (
        <StepCard
          key={place}
          step={each}
          place={place}
          last={place === steps.length - 1}
          active={place === active}
          lengthMs={fault === null || place < fault.step ? lengths[place + 1] : undefined}
          traces={traces}
          error={fault?.step === place ? fault : null}
          onFocus={() => onChoose(place)}
          onChange={(next) => onChange(steps.with(place, next), place)}
          onMove={(by) => onChange(moved(steps, place, place + by), place + by)}
          onRemove={() => onChange(steps.toSpliced(place, 1), null)}
        />
      ))}
    </ol>
  );
}
