// An edit of a trace: steps on a source, made one after the other. docs/traces.md says what each does; the native program holds them
// against the trace.
import { z } from 'zod';
import { Sha256 } from '#protocol/manifest';
import { line, text } from '#protocol/text';
import { TraceSketch } from '#protocol/trace';

/** A day: no trace is longer. */
const ms = (least: number) => z.int().min(least).max(86_400_000);

export const EditStep = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('cut'), from_ms: ms(0), to_ms: ms(1) }).describe('keeps only this part'),
  z.strictObject({ op: z.literal('remove'), from_ms: ms(0), to_ms: ms(1) }).describe('takes this part out'),
  z.strictObject({ op: z.literal('loop'), duration_ms: ms(1) }).describe('repeats the trace up to this length'),
  z.strictObject({ op: z.literal('concatenate'), trace: Sha256 }).describe('appends another trace'),
  z.strictObject({ op: z.literal('scale'), factor: z.number().min(0.000001).max(1000) }),
  z
    .strictObject({ op: z.literal('smooth'), window_ms: ms(1) })
    .describe('moving average around each millisecond, over the end into the beginning'),
  z
    .strictObject({ op: z.literal('outage'), at_ms: ms(0), duration_ms: ms(1), mode: z.enum(['insert', 'overwrite']) })
    .describe('nothing is delivered; insert moves the rest back, overwrite loses what was there'),
  z
    .strictObject({
      op: z.literal('handover'),
      at_ms: ms(0),
      interruption_ms: ms(0).default(30),
      ramp_ms: ms(0).default(0).describe('from nothing to all of the capacity, in a straight line'),
    })
    .describe('nothing for the interruption, then a ramp'),
  z.strictObject({ op: z.literal('reverse') }),
  z.strictObject({ op: z.literal('shift'), by_ms: ms(0) }).describe('begins here; what was before comes at the end'),
]);

export const EditSteps = z.array(EditStep).max(100);

export const TraceEdit = z.strictObject({
  schema: z.literal(1),
  source: Sha256.describe('of the trace that is edited'),
  steps: EditSteps,
});

/** An edit of the trace in the address, to be looked at, or to be kept under a name. */
export const EditRequest = z.strictObject({ steps: EditSteps });
export const NewEdit = z.strictObject({
  name: line(200).min(1),
  description: text(2000).default(''),
  steps: EditSteps.min(1, 'an edit has at least one step'),
});

/** What an edit would make. */
export const EditSketch = TraceSketch.extend({
  lengths_ms: z.array(z.int()).describe('of the trace before each step, and at the end'),
});

export type EditStep = z.infer<typeof EditStep>;
export type TraceEdit = z.infer<typeof TraceEdit>;
export type NewEdit = z.infer<typeof NewEdit>;
export type EditSketch = z.infer<typeof EditSketch>;
