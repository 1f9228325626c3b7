// The steps of an edit as the page handles them: what each one is called and asks for, what a fresh one is, how the list is written
// into the address, and which of its parameters a span of the time axis fills.
import { z } from 'zod';
import { EditStep, EditSteps } from '#protocol/edit';

export type Op = EditStep['op'];
/** Milliseconds. */
export type Span = readonly [from: number, to: number];

export interface Field {
  readonly key: string;
  readonly label: string;
  /** `time` is asked for in seconds, `ms` in milliseconds. */
  readonly kind: 'time' | 'ms' | 'factor' | 'mode' | 'trace';
  readonly help?: string;
}

interface Operation {
  readonly label: string;
  readonly fields: readonly Field[];
  /** For a trace of this length; `span` is what is selected on the time axis. */
  readonly fresh: (lengthMs: number, span: Span | null) => EditStep;
}

/** The middle third, or what is selected, within the trace. */
function spanWithin(lengthMs: number, span: Span | null): Span {
  const [from, to] = span ?? [Math.floor(lengthMs / 3), Math.ceil((2 * lengthMs) / 3)];
  const start = Math.min(Math.max(from, 0), lengthMs - 1);
  return [start, Math.min(Math.max(to, start + 1), lengthMs)];
}

const part = (lengthMs: number, span: Span | null): { from_ms: number; to_ms: number } => {
  const [from_ms, to_ms] = spanWithin(lengthMs, span);
  return { from_ms, to_ms };
};
const begin = (lengthMs: number, span: Span | null): number =>
  span === null ? Math.floor(lengthMs / 2) : spanWithin(lengthMs, span)[0];

const FROM: Field = { key: 'from_ms', label: 'From', kind: 'time' };
const TO: Field = { key: 'to_ms', label: 'To', kind: 'time' };
const AT: Field = { key: 'at_ms', label: 'At', kind: 'time' };

const USUAL_OUTAGE_MS = 2000;

/** In the order of the menu. */
export const OPERATIONS: Readonly<Record<Op, Operation>> = {
  cut: { label: 'Keep a part', fields: [FROM, TO], fresh: (length, span) => ({ op: 'cut', ...part(length, span) }) },
  remove: {
    label: 'Take a part out',
    fields: [FROM, TO],
    fresh: (length, span) => ({ op: 'remove', ...part(length, span) }),
  },
  outage: {
    label: 'Outage',
    fields: [
      AT,
      { key: 'duration_ms', label: 'For', kind: 'time' },
      { key: 'mode', label: 'What was there', kind: 'mode' },
    ],
    fresh: (length, span) => {
      const at_ms = begin(length, span);
      const duration_ms =
        span === null ? Math.min(USUAL_OUTAGE_MS, length - at_ms) : spanWithin(length, span)[1] - at_ms;
      return { op: 'outage', at_ms, duration_ms: Math.max(duration_ms, 1), mode: 'overwrite' };
    },
  },
  handover: {
    label: 'Handover',
    fields: [
      AT,
      { key: 'interruption_ms', label: 'Interruption', kind: 'ms', help: 'The channel models draw from 20 to 40 ms.' },
      { key: 'ramp_ms', label: 'Ramp', kind: 'ms', help: 'From nothing to all of the capacity.' },
    ],
    fresh: (length, span) => ({ op: 'handover', at_ms: begin(length, span), interruption_ms: 30, ramp_ms: 0 }),
  },
  scale: {
    label: 'Scale',
    fields: [{ key: 'factor', label: 'Factor', kind: 'factor' }],
    fresh: () => ({ op: 'scale', factor: 0.5 }),
  },
  smooth: {
    label: 'Smooth',
    fields: [{ key: 'window_ms', label: 'Window', kind: 'ms', help: 'A moving average; the total stays the same.' }],
    fresh: (length) => ({ op: 'smooth', window_ms: Math.min(200, length) }),
  },
  loop: {
    label: 'Loop',
    fields: [{ key: 'duration_ms', label: 'Up to', kind: 'time' }],
    fresh: (length) => ({ op: 'loop', duration_ms: 2 * length }),
  },
  concatenate: {
    label: 'Append a trace',
    fields: [{ key: 'trace', label: 'Trace', kind: 'trace' }],
    fresh: () => ({ op: 'concatenate', trace: '' }),
  },
  shift: {
    label: 'Begin elsewhere',
    fields: [{ key: 'by_ms', label: 'Begin at', kind: 'time', help: 'What was before it comes at the end.' }],
    fresh: (length, span) => ({ op: 'shift', by_ms: begin(length, span) }),
  },
  reverse: { label: 'Reverse', fields: [], fresh: () => ({ op: 'reverse' }) },
};

export const OPS = Object.keys(OPERATIONS) as Op[];

export const valueOf = (step: z.input<typeof EditStep>, key: string): string | number | undefined =>
  (step as Readonly<Record<string, string | number>>)[key];

export const withValue = (step: EditStep, key: string, value: string | number): EditStep => ({ ...step, [key]: value });

/** The part of the time axis that the step is about; null: it is about all of it. */
export function spanOf(step: EditStep): Span | null {
  switch (step.op) {
    case 'cut':
    case 'remove':
      return [step.from_ms, step.to_ms];
    case 'outage':
      return [step.at_ms, step.at_ms + step.duration_ms];
    case 'handover':
      return [step.at_ms, step.at_ms + step.interruption_ms + step.ramp_ms];
    default:
      return null;
  }
}

/** The step with a span that was drawn on the time axis. A handover and a new beginning take only where it starts. */
export function withSpan(step: EditStep, [from, to]: Span): EditStep {
  switch (step.op) {
    case 'cut':
    case 'remove':
      return { ...step, from_ms: from, to_ms: to };
    case 'outage':
      return { ...step, at_ms: from, duration_ms: to - from };
    case 'handover':
      return { ...step, at_ms: from };
    case 'shift':
      return { ...step, by_ms: from };
    default:
      return step;
  }
}

export const moved = (steps: readonly EditStep[], from: number, to: number): EditStep[] => {
  const step = steps[from];
  return step === undefined || to < 0 || to >= steps.length
    ? [...steps]
    : steps.toSpliced(from, 1).toSpliced(to, 0, step);
};

/** `cut:10000,40000_scale:0.5`: names, and values in the order of the fields. */
const written = (step: z.input<typeof EditStep>): string => {
  const values = OPERATIONS[step.op].fields.map(({ key }) => String(valueOf(step, key) ?? ''));
  return values.length === 0 ? step.op : `${step.op}:${values.join(',')}`;
};

function readStep(text: string): unknown {
  const [op = '', ...values] = text.split(/[:,]/);
  const operation = Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op as Op] : undefined;
  if (operation?.fields.length !== values.length) return null;
  const entries = operation.fields.map(({ key, kind }, i) => {
    const value = values[i] ?? '';
    return [key, kind === 'mode' || kind === 'trace' ? value : value === '' ? Number.NaN : Number(value)];
  });
  return { op, ...(Object.fromEntries(entries) as Record<string, unknown>) };
}

/** Of the address: a step whose trace has not been chosen yet is kept, too. */
const Unfinished = z.strictObject({ op: z.literal('concatenate'), trace: z.literal('') });
export const stepsText = z.codec(z.string(), z.array(z.union([EditStep, Unfinished])), {
  decode: (text) => (text === '' ? [] : (text.split('_').map(readStep) as z.input<typeof EditStep>[])),
  encode: (steps) => steps.map((step) => written(step)).join('_'),
});

/** What can be asked of the server: everything before a step that has not been filled in. */
export function finished(steps: readonly EditStep[]): EditStep[] {
  const good = steps.findIndex((step) => !EditSteps.element.safeParse(step).success);
  return good < 0 ? [...steps] : steps.slice(0, good);
}

const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(3))} s`;

/** A step in words: `keep 10 s … 40 s`. */
export function inWords(step: EditStep, nameOf: (trace: string) => string): string {
  switch (step.op) {
    case 'cut':
      return `keep ${seconds(step.from_ms)} … ${seconds(step.to_ms)}`;
    case 'remove':
      return `take out ${seconds(step.from_ms)} … ${seconds(step.to_ms)}`;
    case 'outage':
      return `outage of ${seconds(step.duration_ms)} at ${seconds(step.at_ms)}${step.mode === 'insert' ? ', inserted' : ''}`;
    case 'handover':
      return `handover at ${seconds(step.at_ms)}: ${step.interruption_ms} ms${step.ramp_ms > 0 ? `, ramp of ${step.ramp_ms} ms` : ''}`;
    case 'scale':
      return `times ${step.factor}`;
    case 'smooth':
      return `smoothed over ${step.window_ms} ms`;
    case 'loop':
      return `looped up to ${seconds(step.duration_ms)}`;
    case 'concatenate':
      return `then ${nameOf(step.trace)}`;
    case 'shift':
      return `beginning at ${seconds(step.by_ms)}`;
    case 'reverse':
      return 'reversed';
  }
}
