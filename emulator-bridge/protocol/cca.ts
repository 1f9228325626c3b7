// What the native binary says about its CCAs, queue disciplines and path elements (`paceline-list`). TypeScript never names one.
import { z } from 'zod';

export const ParamDescriptor = z.strictObject({
  name: z.string(),
  label: z.string(),
  /** weights: a network that the user brings along, named by the hash of its file; empty: none. */
  type: z.enum(['number', 'integer', 'boolean', 'choice', 'weights']),
  unit: z.string(),
  default: z.union([z.number(), z.boolean(), z.string()]),
  min: z.number().nullable(),
  max: z.number().nullable(),
  /** weights: the inputs that a network may have. */
  choices: z.array(z.string()),
  help: z.string(),
  /** Without one of these values of a choice, or of a switch, it changes nothing. */
  matters_with: z.strictObject({ param: z.string(), values: z.array(z.string()) }).optional(),
  /** weights: for which a network must be made. */
  algorithm: z.string().optional(),
  /** weights: there must be a network when that choice has this value, and otherwise none is looked at. */
  needed_with: z.strictObject({ param: z.string(), value: z.string() }).optional(),
});

export const InternalDescriptor = z.strictObject({
  name: z.string(),
  label: z.string(),
  unit: z.string(),
  /** Non-empty: the sampled value is an index into these names. */
  states: z.array(z.string()),
});

export const MARKERS = ['circle', 'square', 'triangle', 'diamond', 'triangle-down', 'plus', 'cross', 'star'] as const;

export const CcaKind = z.enum(['sender', 'oracle', 'ideal', 'kernel', 'quic', 'external']);

export const CcaDescriptor = z.strictObject({
  id: z.string(),
  label: z.string(),
  family: z.string(),
  /** kernel: an algorithm of the operating system's TCP; quic: of a real QUIC stack; external: a program that the operator has set up. They run over tun only. */
  kind: CcaKind,
  baseline: z.boolean(),
  summary: z.string(),
  source: z.string(),
  engines: z.array(z.enum(['virtual', 'realtime'])),
  identity: z.strictObject({ slot: z.int().min(0).max(7), marker: z.enum(MARKERS), hollow: z.boolean() }),
  params: z.array(ParamDescriptor),
  internals: z.array(InternalDescriptor),
  twin: z
    .string()
    .optional()
    .describe('of a real stack: the algorithm of ours that it runs, or another implementation of'),
  /** Why it cannot be used here, although it is listed. */
  unavailable: z.string().optional(),
  /** external: changes whenever the operator changes its commands, which nobody else sees; of a plug-in the hash of its file. */
  revision: z.string().optional(),
  own: z
    .strictObject({
      program: z.string().describe('content hash of its text'),
      version: z.int().positive().nullable().describe('null: nobody keeps it'),
      newest: z.boolean().describe('no later version of the same name is kept'),
    })
    .optional()
    .describe('an algorithm that somebody has written in the page (docs/own-algorithms.md)'),
});

export const QueueDescriptor = z.strictObject({
  id: z.string(),
  label: z.string(),
  summary: z.string(),
  source: z.string(),
  /** false: the discipline ignores the queue limit (infinite). */
  limited: z.boolean(),
  params: z.array(ParamDescriptor),
});

/** What an element tells beside the packets that it counts as all do. */
export const ElementValue = z.strictObject({
  name: z.string(),
  label: z.string(),
  unit: z.string(),
  /** Non-empty: the sampled value is an index into these names. */
  states: z.array(z.string()),
  help: z.string(),
});

export const ElementDescriptor = z.strictObject({
  id: z.string(),
  label: z.string(),
  summary: z.string(),
  source: z.string(),
  /** It is given a capacity, a queue discipline and a limit. */
  queues: z.boolean(),
  most: z.int().positive().optional().describe('how many of it a direction may have; absent: any number'),
  recorded_with: z
    .strictObject({ param: z.string(), value: z.string() })
    .optional()
    .describe('delays that were recorded are given when, and only when, that choice has this value'),
  params: z.array(ParamDescriptor),
  columns: z.array(ElementValue).default([]).describe('of each sampling interval, in its stream'),
  figures: z.array(ElementValue).default([]).describe('of the whole run, in its summary'),
});

/** What this machine cannot have: one algorithm, or without an id all of a kind. */
export const UnavailableCca = z.strictObject({
  kind: CcaKind,
  id: z.string().optional(),
  label: z.string().optional(),
  reason: z.string(),
});

export const EngineListing = z.strictObject({
  engine_version: z.string(),
  protocol: z.int(),
  ccas: z.array(CcaDescriptor),
  unavailable: z.array(UnavailableCca),
  queues: z.array(QueueDescriptor),
  elements: z.array(ElementDescriptor).optional().describe('absent where the engine was older'),
});

export type ParamDescriptor = z.infer<typeof ParamDescriptor>;
export type InternalDescriptor = z.infer<typeof InternalDescriptor>;
export type CcaKind = z.infer<typeof CcaKind>;
export type CcaDescriptor = z.infer<typeof CcaDescriptor>;
export type ElementValue = z.infer<typeof ElementValue>;
export type ElementDescriptor = z.infer<typeof ElementDescriptor>;
export type QueueDescriptor = z.infer<typeof QueueDescriptor>;
export type UnavailableCca = z.infer<typeof UnavailableCca>;
export type EngineListing = z.infer<typeof EngineListing>;
