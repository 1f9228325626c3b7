// The network of a weights file (docs/weights.md): what it does with what it sees, to the bit as the engine does it (native/core/feed_forward.cc).
import { z } from 'zod';

const Numbers = z.array(z.number());

const WeightsFile = z.object({
  algorithm: z.string(),
  name: z.string().default(''),
  inputs: z.array(z.string()).min(1),
  history: z.int().min(1).default(1),
  normalise: z.object({ subtract: Numbers, divide: Numbers }).optional(),
  layers: z
    .array(
      z.object({
        activation: z.enum(['linear', 'relu', 'leaky_relu', 'tanh']),
        slope: z.number().default(0),
        weights: z.array(Numbers),
        bias: Numbers,
      }),
    )
    .min(1),
  bounds: z.object({ least: z.number(), most: z.number() }).default({ least: -1, most: 1 }),
});

type Activation = 'linear' | 'relu' | 'leaky_relu' | 'tanh';

interface Layer {
  readonly activation: Activation;
  readonly slope: number;
  readonly inputs: number;
  readonly units: number;
  /** An input's weights for all units, one input after the other. */
  readonly weights: Float32Array;
  readonly biases: Float32Array;
}

export interface Policy {
  readonly algorithm: string;
  readonly name: string;
  /** Of one look. */
  readonly inputs: readonly string[];
  /** Looks that it sees, the oldest first. */
  readonly history: number;
  readonly subtract: Float32Array;
  readonly divide: Float32Array;
  readonly layers: readonly Layer[];
  readonly least: number;
  readonly most: number;
}

/** The policy of a file, as its JSON was read. Throws where it is none. */
export function policyOf(json: unknown): Policy {
  const file = WeightsFile.parse(json);
  const { inputs, history, normalise } = file;
  let width = inputs.length * history;
  const layers = file.layers.map(({ activation, slope, weights, bias }, at): Layer => {
    if (weights.length !== bias.length || weights.some((row) => row.length !== width))
      throw new Error(`layers[${at}] does not fit what it is given`);
    const units = weights.length;
    const flat = Float32Array.from(
      { length: width * units },
      (_, i) => weights[i % units]?.[Math.floor(i / units)] ?? 0,
    );
    const layer = { activation, slope, inputs: width, units, weights: flat, biases: Float32Array.from(bias) };
    width = units;
    return layer;
  });
  if (width !== 1) throw new Error('the last layer has more than one unit');
  const of = (values: readonly number[] | undefined, usual: number): Float32Array => {
    if (values !== undefined && values.length !== inputs.length) throw new Error('normalise does not fit the inputs');
    return Float32Array.from(inputs, (_, i) => values?.[i] ?? usual);
  };
  return {
    algorithm: file.algorithm,
    name: file.name,
    inputs,
    history,
    subtract: of(normalise?.subtract, 0),
    divide: of(normalise?.divide, 1),
    layers,
    least: Math.fround(file.bounds.least),
    most: Math.fround(file.bounds.most),
  };
}

const SATURATED = 20;

/** Lambert's continued fraction of an eighth, doubled three times: the engine's own, which is the same on all machines. */
function plainTanh(x: number): number {
  if (Number.isNaN(x)) return x;
  if (Math.abs(x) >= SATURATED) return Math.sign(x);
  const eighth = x / 8;
  const square = eighth * eighth;
  let below = 27;
  for (let odd = 25; odd >= 1; odd -= 2) below = odd + square / below;
  let t = eighth / below;
  for (let i = 0; i < 3; i++) t = (2 * t) / (1 + t * t);
  return t;
}

function activated({ activation, slope }: Pick<Layer, 'activation' | 'slope'>, sum: number): number {
  switch (activation) {
    case 'linear':
      return sum;
    case 'relu':
      return Math.max(sum, 0);
    case 'leaky_relu':
      return sum > 0 ? sum : Math.fround(slope) * sum;
    case 'tanh':
      return plainTanh(sum);
  }
}

/** What it does. `looks`: `history` looks of all inputs as they were measured, the oldest first; zeros before the first. From −1 to 1. */
export function actionOf(policy: Policy, looks: ArrayLike<number>): number {
  const { inputs, history, subtract, divide, layers, least, most } = policy;
  let values = Float32Array.from({ length: inputs.length * history }, (_, i) => {
    const input = i % inputs.length;
    return Math.fround(Math.fround(looks[i] ?? 0) - (subtract[input] ?? 0)) / (divide[input] ?? 1);
  });
  for (const layer of layers) {
    const { units, weights, biases } = layer;
    const sums = Float32Array.from(biases);
    for (let i = 0; i < layer.inputs; i++) {
      const x = values[i] ?? 0;
      for (let unit = 0; unit < units; unit++)
        sums[unit] = (sums[unit] ?? 0) + Math.fround((weights[i * units + unit] ?? 0) * x);
    }
    values = sums.map((sum) => activated(layer, sum));
  }
  const [action = 0] = values;
  return Math.min(Math.max(Number.isFinite(action) ? action : 0, least), most);
}

/**
 * What it does where everything has been the same for all of its looks, as a network of one look: the weights of an input's looks are added.
 * Its actions are those of `actionOf` but for the last bits.
 */
export function steady(policy: Policy): Policy {
  const [first, ...others] = policy.layers;
  if (first === undefined || policy.history === 1) return policy;
  const width = policy.inputs.length;
  const weights = new Float32Array(width * first.units);
  for (let i = 0; i < first.weights.length; i++) {
    const place = i % weights.length;
    weights[place] = (weights[place] ?? 0) + (first.weights[i] ?? 0);
  }
  return { ...policy, history: 1, layers: [{ ...first, inputs: width, weights }, ...others] };
}

export interface PolicyAxis {
  /** Place among the inputs. */
  readonly input: number;
  /** Its values, ascending. */
  readonly values: readonly number[];
}

const roughly = ({ activation, slope }: Layer, sum: number): number =>
  activation === 'tanh' ? Math.tanh(sum) : activated({ activation, slope }, sum);

/**
 * Actions over two inputs while all looks are alike, row after row of `y`; `others`: what the other inputs are. For pictures: as exact as those of
 * `steady`, and quicker.
 */
export function policyMap(policy: Policy, others: readonly number[], x: PolicyAxis, y: PolicyAxis): Float32Array {
  const { inputs, subtract, divide, layers, least, most } = steady(policy);
  const [first, ...deeper] = layers;
  const actions = new Float32Array(x.values.length * y.values.length);
  if (first === undefined) return actions;
  const scaled = (input: number, value: number): number => (value - (subtract[input] ?? 0)) / (divide[input] ?? 1);
  const weight = (input: number, unit: number): number => first.weights[input * first.units + unit] ?? 0;
  // What does not change from place to place is added up once.
  const still = Float64Array.from({ length: first.units }, (_, unit) =>
    inputs.reduce(
      (sum, __, input) =>
        input === x.input || input === y.input ? sum : sum + weight(input, unit) * scaled(input, others[input] ?? 0),
      first.biases[unit] ?? 0,
    ),
  );
  y.values.forEach((down, row) => {
    const up = scaled(y.input, down);
    x.values.forEach((right, column) => {
      const across = scaled(x.input, right);
      let values: Float64Array = still.map((sum, unit) =>
        roughly(first, sum + weight(x.input, unit) * across + weight(y.input, unit) * up),
      );
      for (const layer of deeper) values = layerOf(layer, values);
      const [action = 0] = values;
      actions[row * x.values.length + column] = Math.min(Math.max(Number.isFinite(action) ? action : 0, least), most);
    });
  });
  return actions;
}

function layerOf(layer: Layer, values: Float64Array): Float64Array {
  const { units, weights, biases } = layer;
  const sums = Float64Array.from(biases);
  for (let i = 0; i < layer.inputs; i++) {
    const value = values[i] ?? 0;
    for (let unit = 0; unit < units; unit++) sums[unit] = (sums[unit] ?? 0) + (weights[i * units + unit] ?? 0) * value;
  }
  return sums.map((sum) => roughly(layer, sum));
}
