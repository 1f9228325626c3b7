// Weights of the scenario scores in the address: `bulk:0.75,0.05,0.15,0.05;mixed:…`, in the order of TERMS; only what was changed.
import { z } from 'zod';
import { normaliseWeights, SCENARIOS, TERMS, type Term, type Weights } from '#analysis/scores';

export type WeightMap = ReadonlyMap<string, Weights>;

const fromNumbers = ([throughput = NaN, delay = NaN, intra = NaN, inter = NaN]: readonly number[]): Weights => ({
  throughput,
  delay,
  intra,
  inter,
});

const known = (id: string): boolean => SCENARIOS.some((scenario) => scenario.id === id);
const valid = ([id, weights]: [string, Weights]): boolean => known(id) && normaliseWeights(weights) !== null;

export const weightsText = z.codec(
  z.string(),
  z.custom<WeightMap>((value) => value instanceof Map && [...(value as WeightMap)].every(valid)),
  {
    decode: (text): WeightMap =>
      new Map(
        text
          .split(';')
          .filter((part) => part !== '')
          .map((part): [string, Weights] => {
            const [id = '', numbers = ''] = part.split(':');
            return [id, fromNumbers(numbers.split(',').map(Number))];
          }),
      ),
    encode: (map) =>
      [...map]
        .map(([id, weights]) => `${id}:${TERMS.map((term) => Number(weights[term].toFixed(3))).join(',')}`)
        .join(';'),
  },
);

/** Sets one term and scales the others, so that the sum stays 1 and their proportions stay as they were. */
export function setWeight(weights: Weights, term: Term, value: number): Weights {
  const wanted = Math.min(1, Math.max(0, value));
  const others = TERMS.filter((other) => other !== term);
  const rest = others.reduce((sum, other) => sum + weights[other], 0);
  const scaled = (other: Term): number =>
    other === term ? wanted : rest > 0 ? (weights[other] / rest) * (1 - wanted) : (1 - wanted) / others.length;
  return { throughput: scaled('throughput'), delay: scaled('delay'), intra: scaled('intra'), inter: scaled('inter') };
}

export const weightsOf = (id: string, changed: WeightMap): Weights | null =>
  changed.get(id) ?? SCENARIOS.find((scenario) => scenario.id === id)?.weights ?? null;
