// The few numbers of a radio recipe that the sliders move. Everything else of the scenario stays as it is.
import { z } from 'zod';
import type { Recipe } from '#protocol/recipe';

/** The parts of a radio model that are read here; all others are carried along. */
const Radio = z.looseObject({
  seed: z.number(),
  duration_ms: z.number(),
  step_us: z.number().optional(),
  walk: z.looseObject({
    line: z.looseObject({ start_m: z.number(), nearest_m: z.number(), farthest_m: z.number() }).optional(),
    box: z.looseObject({ nearest_m: z.number(), side_m: z.number() }).optional(),
  }),
  speed_mps: z.tuple([z.number(), z.number()]),
  blockage: z
    .looseObject({ per_s: z.number(), dwell_s: z.number(), depth_db: z.number(), ramp_ms: z.number() })
    .optional(),
  link: z.looseObject({ bandwidth_mhz: z.number() }),
  load: z.looseObject({ users: z.number(), on_s: z.number(), off_s: z.number(), interval_ms: z.number() }).optional(),
});
type Radio = z.infer<typeof Radio>;

export interface Knob {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Null: this scenario has no such thing. */
  readonly read: (radio: Radio) => number | null;
  readonly write: (radio: Radio, value: number) => Radio;
}

const round = (value: number, digits = 2): number => Number(value.toFixed(digits));
const SOMEBODY = { per_s: 0, dwell_s: 0.5, depth_db: 18, ramp_ms: 120 };
const OTHERS = { users: 0, on_s: 4, off_s: 6, interval_ms: 1 };

export const KNOBS: readonly Knob[] = [
  {
    id: 'speed',
    label: 'Greatest speed',
    unit: 'm/s',
    min: 0,
    max: 35,
    step: 0.5,
    read: ({ speed_mps }) => speed_mps[1],
    // The slowest keeps its share of the fastest.
    write: (radio, value) => {
      const [slowest, fastest] = radio.speed_mps;
      return { ...radio, speed_mps: [fastest === 0 ? value : round((slowest / fastest) * value), value] };
    },
  },
  {
    id: 'distance',
    label: 'Distance from the station',
    unit: 'm',
    min: 5,
    max: 1000,
    step: 5,
    read: ({ walk }) => walk.line?.start_m ?? walk.box?.nearest_m ?? null,
    write: (radio, value) => {
      const { line, box } = radio.walk;
      if (line !== undefined) {
        const nearest_m = Math.min(line.nearest_m, value);
        const farthest_m = Math.max(line.farthest_m, value);
        return { ...radio, walk: { line: { ...line, start_m: value, nearest_m, farthest_m } } };
      }
      return box === undefined ? radio : { ...radio, walk: { box: { ...box, nearest_m: value } } };
    },
  },
  {
    id: 'bandwidth',
    label: 'Bandwidth',
    unit: 'MHz',
    min: 5,
    max: 400,
    step: 5,
    read: ({ link }) => link.bandwidth_mhz,
    write: (radio, value) => ({ ...radio, link: { ...radio.link, bandwidth_mhz: value } }),
  },
  {
    id: 'blockers',
    label: 'Blockers passing',
    unit: 'per minute',
    min: 0,
    max: 60,
    step: 1,
    read: ({ blockage }) => round((blockage?.per_s ?? 0) * 60, 1),
    write: (radio, value) => ({ ...radio, blockage: { ...(radio.blockage ?? SOMEBODY), per_s: round(value / 60, 4) } }),
  },
  {
    id: 'load',
    label: 'Other users in the cell',
    unit: '',
    min: 0,
    max: 20,
    step: 1,
    read: ({ load }) => load?.users ?? 0,
    write: (radio, value) => ({ ...radio, load: { ...(radio.load ?? OTHERS), users: value } }),
  },
  {
    id: 'duration',
    label: 'Length',
    unit: 's',
    min: 10,
    max: 300,
    step: 10,
    read: ({ duration_ms }) => duration_ms / 1000,
    write: (radio, value) => ({ ...radio, duration_ms: value * 1000 }),
  },
];

export const radioOf = (recipe: Recipe): Radio => Radio.parse(recipe.radio);

/** A recipe of one's own: what the scenario promised of itself does not hold for it. */
export function withRadio({ schema, description }: Recipe, name: string, radio: Radio): Recipe {
  return { schema, name, description, radio };
}

/** Steps so coarse that a sketch is there before the eye waits; for as long as a slider is dragged. */
const COARSE_STEP_US = 5000;
export const coarse = (radio: Radio): Radio => ({ ...radio, step_us: Math.max(radio.step_us ?? 1000, COARSE_STEP_US) });
export type { Radio };
