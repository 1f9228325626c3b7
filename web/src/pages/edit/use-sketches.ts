// What the steps of an edit make of a trace, before and after the one that is looked at.
import { useMemo } from 'react';
import type { TraceRecord } from '#protocol/api';
import type { EditStep } from '#protocol/edit';
import { asApiError } from '../../api/client';
import { finished } from './steps';
import { useEditSketch, useSettled } from './use-edit-sketch';

const NONE: readonly EditStep[] = [];

export interface StepFault {
  readonly step: number;
  readonly key: string;
  readonly text: string;
}

/** `steps.2.to_ms` of a refusal: the step, and the parameter. */
function placeOf(error: unknown): StepFault | null {
  const { problem } = asApiError(error);
  const [, step, key = ''] = /^steps\.(\d+)(?:\.(\w+))?$/.exec(problem.where ?? '') ?? [];
  return step === undefined ? null : { step: Number(step), key, text: problem.detail };
}

export type Sketches = ReturnType<typeof useSketches>;

export function useSketches(trace: TraceRecord, steps: readonly EditStep[], active: number) {
  const settled = useSettled(steps);
  const asked = useMemo(() => finished(settled), [settled]);
  const [upTo, through] = useMemo(
    () => (active < 0 ? [NONE, NONE] : [asked.slice(0, active), asked.slice(0, active + 1)]),
    [asked, active],
  );
  const before = useEditSketch(trace.id, upTo);
  const after = useEditSketch(trace.id, through);
  const all = useEditSketch(trace.id, asked);
  const fault = all.isError ? placeOf(all.error) : null;
  const sound = useEditSketch(
    trace.id,
    useMemo(() => asked.slice(0, fault?.step ?? 0), [asked, fault?.step]),
  );
  // A step that cannot be made leaves what was there before it in sight.
  const shown = after.data ?? before.data ?? sound.data;
  const made = after.data !== undefined && active >= 0;
  const beforeStep = before.data === undefined && fault !== null ? fault.step : active;
  const lengths = all.data?.lengths_ms ?? [trace.info.period_ms];
  const lengthMs = (before.data ?? sound.data)?.period_ms ?? trace.info.period_ms;
  return { asked, before, all, fault, shown, made, beforeStep, lengths, lengthMs };
}
