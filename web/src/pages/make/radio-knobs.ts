// The sliders of a scenario with a place: how fast, how far, how wide, what is in the way, who else is there.
import { z } from 'zod';
import type { Recipe } from '#protocol/recipe';
import { setBack } from './geometry';
import { type Knob, LENGTH, round } from './knob';

const Place = z.tuple([z.number(), z.number()]).readonly();

/** The parts of a radio model that are read here; all others are carried along. */
const Radio = z.looseObject({
  duration_ms: z.number(),
  step_us: z.number().optional(),
  walk: z.looseObject({
    line: z.looseObject({ start_m: z.number(), nearest_m: z.number(), farthest_m: z.number() }).optional(),
    box: z.looseObject({ nearest_m: z.number(), side_m: z.number() }).optional(),
    path: z.looseObject({ corners: z.array(Place) }).optional(),
  }),
  speed_mps: z.tuple([z.number(), z.number()]),
  stations: z.array(Place).optional(),
  buildings: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])).optional(),
  blockage: z
    .looseObject({ per_s: z.number(), dwell_s: z.number(), depth_db: z.number(), ramp_ms: z.number() })
    .optional(),
  link: z.looseObject({ bandwidth_mhz: z.number(), cap_mbps: z.number().optional() }),
  load: z.looseObject({ users: z.number(), on_s: z.number(), off_s: z.number(), interval_ms: z.number() }).optional(),
});
type Radio = z.infer<typeof Radio>;

const SOMEBODY = { per_s: 0, dwell_s: 0.5, depth_db: 18, ramp_ms: 120 };
const OTHERS = { users: 0, on_s: 4, off_s: 6, interval_ms: 1 };
const NOWHERE = [0, 0] as const;

type Part = Omit<Knob, 'write'> & { readonly change: (value: number) => Partial<Radio> };

/** Everything is counted from the scenario as it was, so that a slider that goes there and back changes nothing. */
type Read = (now: Radio, scenario: Radio) => Part;

const speed: Read = ({ speed_mps: [, now] }, { speed_mps: [slowest, fastest] }) => ({
  id: 'speed',
  label: 'Greatest speed',
  unit: 'm/s',
  min: 0,
  max: 35,
  step: 0.5,
  value: now,
  // The slowest keeps its share of the fastest.
  change: (value) => ({ speed_mps: [fastest === 0 ? value : round((slowest / fastest) * value), value] }),
});

const FARTHEST_M = 300;

/** Where the walk begins, how near the square is, or how far the stations have been moved from a way that is drawn. */
const distance: Read = (now, scenario) => {
  const knob = { id: 'distance', unit: 'm', min: 5, max: 1000, step: 5 };
  const { line, box, path } = scenario.walk;
  if (line !== undefined)
    return {
      ...knob,
      label: 'Distance at the start',
      value: now.walk.line?.start_m ?? line.start_m,
      change: (value) => {
        const nearest_m = Math.min(line.nearest_m, value);
        return { walk: { line: { ...line, start_m: value, nearest_m, farthest_m: Math.max(line.farthest_m, value) } } };
      },
    };
  if (box !== undefined)
    return {
      ...knob,
      label: 'Least distance from the station',
      value: now.walk.box?.nearest_m ?? box.nearest_m,
      change: (value) => ({ walk: { box: { ...box, nearest_m: value } } }),
    };
  const corners = path?.corners ?? [];
  const original = scenario.stations ?? [NOWHERE];
  const [first = NOWHERE] = original;
  const [[x, y] = first] = now.stations ?? original;
  return {
    ...knob,
    label: original.length === 1 ? 'Station moved away by' : 'Stations moved away by',
    min: 0,
    max: FARTHEST_M,
    value: round(Math.hypot(x - first[0], y - first[1]), 1),
    change: (value) => ({
      stations: original.map((station) => setBack(station, value, FARTHEST_M, corners, scenario.buildings ?? [])),
    }),
  };
};

const bandwidth: Read = ({ link }, { link: { cap_mbps, bandwidth_mhz } }) => ({
  id: 'bandwidth',
  label: 'Bandwidth',
  unit: 'MHz',
  min: 5,
  max: 400,
  step: 5,
  value: link.bandwidth_mhz,
  // What a device or a sender can take at most grows with it.
  change: (value) => {
    const capped = cap_mbps === undefined ? {} : { cap_mbps: round((cap_mbps / bandwidth_mhz) * value) };
    return { link: { ...link, ...capped, bandwidth_mhz: value } };
  },
});

const blockers: Read = ({ blockage = SOMEBODY }) => ({
  id: 'blockers',
  label: 'Blockers passing',
  unit: 'per minute',
  min: 0,
  max: 60,
  step: 1,
  value: round(blockage.per_s * 60, 1),
  change: (value) => ({ blockage: { ...blockage, per_s: round(value / 60, 4) } }),
});

const load: Read = ({ load: others = OTHERS }) => ({
  id: 'load',
  label: 'Other users in the cell',
  unit: '',
  min: 0,
  max: 20,
  step: 1,
  value: others.users,
  change: (value) => ({ load: { ...others, users: value } }),
});

const length: Read = ({ duration_ms }) => ({
  ...LENGTH,
  value: duration_ms / 1000,
  change: (value) => ({ duration_ms: value * 1000 }),
});

const KNOBS: readonly Read[] = [speed, distance, bandwidth, blockers, load, length];

export function radioKnobs(recipe: Recipe, scenario: Recipe): readonly Knob[] {
  const radio = Radio.parse(recipe.radio);
  const original = Radio.parse(scenario.radio);
  return KNOBS.map((read) => {
    const { change, ...knob } = read(radio, original);
    return { ...knob, write: (value) => ({ ...recipe, radio: { ...radio, ...change(value) } }) };
  });
}

/** Steps so coarse that a sketch is there before the eye waits; for as long as a slider is dragged. */
const COARSE_STEP_US = 5000;

export function coarse(recipe: Recipe): Recipe {
  if (recipe.radio === undefined) return recipe;
  const step_us = Math.max(Number(recipe.radio['step_us'] ?? 1000), COARSE_STEP_US);
  return { ...recipe, radio: { ...recipe.radio, step_us } };
}
