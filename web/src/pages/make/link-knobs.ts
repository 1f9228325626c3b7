// The sliders of a link without a place: rates and times. What else shapes it is scaled along.
import { z } from 'zod';
import type { Recipe } from '#protocol/recipe';
import { type Knob, LENGTH, round } from './knob';

const Piece = z.looseObject({ from_mbps: z.number(), to_mbps: z.number(), ms: z.number() });
const Piecewise = z.looseObject({ repeat: z.number(), duration_ms: z.number().optional(), pieces: z.array(Piece) });
const RandomWalk = z.looseObject({
  duration_ms: z.number(),
  every_ms: z.number(),
  start_mbps: z.number(),
  min_mbps: z.number(),
  max_mbps: z.number(),
  step_mbps: z.number(),
});
const Markov = z.looseObject({
  duration_ms: z.number(),
  states: z.array(z.looseObject({ mbps: z.number(), mean_ms: z.number() })),
});
const CellularWalk = z.looseObject({
  duration_ms: z.number(),
  median_mbps: z.number(),
  min_mbps: z.number(),
  max_mbps: z.number(),
  share: z.number(),
  outages_per_s: z.number(),
});

/** A slider for rates like the scenario's own. */
const rateUpTo = (scenarioMbps: number) => ({ unit: 'Mbps', min: 0, max: scenarioMbps <= 100 ? 200 : 2000, step: 1 });

/** Straight lines: all rates stretched between the lowest and the highest, all times with the cycle. */
export function piecewiseKnobs(recipe: Recipe, scenario: Recipe): readonly Knob[] {
  const original = Piecewise.parse(scenario.piecewise);
  const now = Piecewise.parse(recipe.piecewise);
  const rates = ({ pieces }: typeof now): readonly number[] => pieces.flatMap((p) => [p.from_mbps, p.to_mbps]);
  const cycle = ({ pieces }: typeof now): number => pieces.reduce((sum, { ms }) => sum + ms, 0);
  const [least, most] = [Math.min(...rates(original)), Math.max(...rates(original))];
  const [low, high] = [Math.min(...rates(now)), Math.max(...rates(now))];
  const rate = rateUpTo(most);
  const duration_ms = now.duration_ms ?? cycle(now) * now.repeat;
  const write = (from: number, to: number, cycleMs: number, lengthMs: number): Recipe => {
    const stretched = (mbps: number): number =>
      most === least ? to : round(from + ((to - from) * (mbps - least)) / (most - least));
    const pieces = original.pieces.map((piece) => ({
      ...piece,
      from_mbps: stretched(piece.from_mbps),
      to_mbps: stretched(piece.to_mbps),
      ms: Math.max(1, Math.round((piece.ms * cycleMs) / cycle(original))),
    }));
    return { ...recipe, piecewise: { ...now, repeat: 1, duration_ms: lengthMs, pieces } };
  };
  const length: Knob = {
    ...LENGTH,
    value: duration_ms / 1000,
    write: (value) => write(low, high, cycle(now), value * 1000),
  };
  if (most === least)
    return [
      { ...rate, min: 1, id: 'rate', label: 'Rate', value: high, write: (v) => write(v, v, cycle(now), duration_ms) },
      length,
    ];
  return [
    {
      ...rate,
      min: 1,
      id: 'highest',
      label: 'Highest rate',
      value: high,
      write: (value) => write(Math.min(low, value), value, cycle(now), duration_ms),
    },
    {
      ...rate,
      id: 'lowest',
      label: 'Lowest rate',
      value: low,
      write: (value) => write(value, Math.max(high, value), cycle(now), duration_ms),
    },
    {
      id: 'cycle',
      label: 'One cycle',
      unit: 's',
      min: 0.5,
      max: 60,
      step: 0.5,
      value: cycle(now) / 1000,
      write: (value) => write(low, high, value * 1000, duration_ms),
    },
    length,
  ];
}

export function randomWalkKnobs(recipe: Recipe, scenario: Recipe): readonly Knob[] {
  const now = RandomWalk.parse(recipe.random_walk);
  const rate = rateUpTo(RandomWalk.parse(scenario.random_walk).max_mbps);
  const write = (part: Partial<typeof now>): Recipe => {
    const next = { ...now, ...part };
    const start_mbps = Math.min(Math.max(next.start_mbps, next.min_mbps), next.max_mbps);
    return { ...recipe, random_walk: { ...next, start_mbps } };
  };
  return [
    {
      ...rate,
      min: 1,
      id: 'highest',
      label: 'Highest rate',
      value: now.max_mbps,
      write: (max_mbps) => write({ max_mbps, min_mbps: Math.min(now.min_mbps, max_mbps) }),
    },
    {
      ...rate,
      id: 'lowest',
      label: 'Lowest rate',
      value: now.min_mbps,
      write: (min_mbps) => write({ min_mbps, max_mbps: Math.max(now.max_mbps, min_mbps) }),
    },
    {
      ...rate,
      max: 200,
      id: 'step',
      label: 'A step',
      value: now.step_mbps,
      write: (step_mbps) => write({ step_mbps }),
    },
    {
      id: 'every',
      label: 'A step every',
      unit: 'ms',
      min: 10,
      max: 5000,
      step: 10,
      value: now.every_ms,
      write: (every_ms) => write({ every_ms }),
    },
    { ...LENGTH, value: now.duration_ms / 1000, write: (value) => write({ duration_ms: value * 1000 }) },
  ];
}

/** A chain of rates: the highest scales all of them, the mean stay all stays. */
export function markovKnobs(recipe: Recipe, scenario: Recipe): readonly Knob[] {
  const original = Markov.parse(scenario.markov);
  const now = Markov.parse(recipe.markov);
  const highest = ({ states }: typeof now): number => Math.max(...states.map(({ mbps }) => mbps));
  const rate = rateUpTo(highest(original));
  const stay = ({ states }: typeof now): number => states.reduce((sum, s) => sum + s.mean_ms, 0) / states.length;
  const write = (mbps: number, stayMs: number, duration_ms: number): Recipe => {
    const states = original.states.map((state) => ({
      ...state,
      mbps: round((state.mbps / highest(original)) * mbps),
      mean_ms: Math.max(1, round((state.mean_ms / stay(original)) * stayMs, 1)),
    }));
    return { ...recipe, markov: { ...now, duration_ms, states } };
  };
  return [
    {
      ...rate,
      min: 1,
      id: 'highest',
      label: 'Highest rate',
      value: highest(now),
      write: (value) => write(value, stay(now), now.duration_ms),
    },
    {
      id: 'stay',
      label: 'Mean stay at a rate',
      unit: 's',
      min: 0.1,
      max: 20,
      step: 0.1,
      value: round(stay(now) / 1000, 1),
      write: (value) => write(highest(now), value * 1000, now.duration_ms),
    },
    {
      ...LENGTH,
      value: now.duration_ms / 1000,
      write: (value) => write(highest(now), stay(now), value * 1000),
    },
  ];
}

export function cellularWalkKnobs(recipe: Recipe, scenario: Recipe): readonly Knob[] {
  const original = CellularWalk.parse(scenario.cellular_walk);
  const now = CellularWalk.parse(recipe.cellular_walk);
  const write = (part: Partial<typeof now>): Recipe => ({ ...recipe, cellular_walk: { ...now, ...part } });
  return [
    {
      ...rateUpTo(original.max_mbps),
      min: 1,
      id: 'median',
      label: 'Median rate',
      value: now.median_mbps,
      // The bounds keep their ratio to it.
      write: (median_mbps) => {
        const factor = median_mbps / original.median_mbps;
        const [min_mbps, max_mbps] = [round(original.min_mbps * factor, 3), round(original.max_mbps * factor, 3)];
        return write({ median_mbps, min_mbps, max_mbps });
      },
    },
    {
      id: 'share',
      label: 'This user’s share of the cell',
      unit: '',
      min: 0.05,
      max: 1,
      step: 0.05,
      value: now.share,
      write: (share) => write({ share }),
    },
    {
      id: 'outages',
      label: 'Outages',
      unit: 'per minute',
      min: 0,
      max: 60,
      step: 1,
      value: round(now.outages_per_s * 60, 1),
      write: (value) => write({ outages_per_s: round(value / 60, 4) }),
    },
    { ...LENGTH, value: now.duration_ms / 1000, write: (value) => write({ duration_ms: value * 1000 }) },
  ];
}
