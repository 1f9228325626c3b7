// What may be asked for, said once for everybody who checks it: the schemas, the page's fields and, by way of core/limits.gen.hh, the engine.
import { z } from 'zod';

export interface Bounds {
  readonly min: number;
  readonly max: number;
}
const bounds = (min: number, max: number): Bounds => ({ min, max });

const DAY_S = 86_400;
/** What JSON numbers hold exactly. */
const LARGEST = Number.MAX_SAFE_INTEGER;
const MTU_BYTES = 1500;

export const LIMITS = {
  // of a run
  duration_s: bounds(0.1, DAY_S),
  sample_period_ms: bounds(1, 10_000),
  seed: bounds(0, LARGEST),
  repetitions: bounds(1, 1000),
  repetition: bounds(0, LARGEST),
  flows: bounds(1, 64),

  // of a link
  rate_mbps: bounds(0.001, 1_000_000),
  trace_offset_ms: bounds(0, LARGEST),
  base_rtt_ms: bounds(0, 10_000),
  /** One way. */
  delay_ms: bounds(0, 60_000),
  loss: bounds(0, 0.9),
  queue_bytes: bounds(MTU_BYTES, LARGEST),
  queue_packets: bounds(1, LARGEST),
  /** In one direction. */
  path_elements: bounds(1, 32),

  // of a flow
  start_s: bounds(0, DAY_S),
  stop_s: bounds(0, DAY_S),
  extra_rtt_ms: bounds(0, 60_000),
  ack_every: bounds(1, 64),
  /** Up to what TCP can offer (RFC 7323 section 2.3). */
  window_limit_bytes: bounds(MTU_BYTES, 2 ** 30),
  /** A place in the path's list, from 0. */
  joins: bounds(0, 31),

  // of its source
  spell_s: bounds(0.001, DAY_S),
  message_bytes: bounds(1, 1e12),
  messages: bounds(1, 1e12),
  interval_s: bounds(0, DAY_S),
  /** Arrivals that do not wait for the end of the one before. */
  arrival_s: bounds(0.001, DAY_S),
  /** Below, Pareto sizes have no mean. */
  pareto_shape: bounds(1.01, 100),
  lognormal_shape: bounds(0.01, 10),
  fps: bounds(0.1, 1000),
  key_every: bounds(1, 1_000_000),
  key_ratio: bounds(1, 1000),
  deadline_ms: bounds(0.1, 3_600_000),
  recorded_writes: bounds(1, 100_000),
  recorded_ms: bounds(0, DAY_S * 1000),

  // of an element
  recorded_delays: bounds(1, 10_000),
  /** Into what repeats after twice its last time at most. */
  recorded_offset_ms: bounds(0, 2 * DAY_S * 1000),
} as const satisfies Readonly<Record<string, Bounds>>;

/** What the engine never hears of. */
export const SET_LIMITS = {
  /** Of an experiment, and so of what its sets come to. */
  traces: bounds(1, 200),
  /** Of a recipe, in one set. */
  seeds: bounds(1, 50),
  /** What a model draws from. */
  recipe_seed: bounds(0, 4_294_967_295),
} as const satisfies Readonly<Record<string, Bounds>>;

/** Characters of what people say of experiments, runs and traces, and how many tags one of them has. */
export const LABEL_LIMITS = {
  name: bounds(1, 200),
  note: bounds(0, 20_000),
  tag: bounds(1, 40),
  tags: bounds(0, 20),
} as const satisfies Readonly<Record<string, Bounds>>;

export const within = ({ min, max }: Bounds): z.ZodNumber => z.number().min(min).max(max);
export const wholeWithin = ({ min, max }: Bounds): z.ZodInt => z.int().min(min).max(max);
