// Are the values that a spec gives a CCA, a discipline or an element allowed? And what is wrong with a spec, at its place.
import type { ParamDescriptor } from '#protocol/cca';
import type { ParamValues } from '#protocol/spec';

export interface SpecProblem {
  /** Place in the spec, as zod gives it: ['ccas', 2, 'params', 'beta']. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What the planner needs to know about a stored weights file. */
export interface WeightsFacts {
  readonly name: string;
  readonly algorithm: string;
}

/** Finds a weights file by its content hash. */
export type FindWeights = (id: string) => WeightsFacts | undefined;

export const NO_WEIGHTS: FindWeights = () => undefined;

type Path = SpecProblem['path'];

/** Names in a sentence. */
export const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

function weightsFault(
  { algorithm }: ParamDescriptor,
  value: number | boolean | string,
  find: FindWeights,
): string | null {
  if (typeof value !== 'string') return `must be a weights file, not ${JSON.stringify(value)}`;
  if (value === '') return null;
  const weights = find(value);
  if (weights === undefined) return `names a weights file that is not here: ${value}; upload it first`;
  return weights.algorithm === algorithm
    ? null
    : `names “${weights.name}”, which is for ${weights.algorithm}, not for ${algorithm ?? ''}`;
}

function valueFault(param: ParamDescriptor, value: number | boolean | string, find: FindWeights): string | null {
  const unit = param.unit === '' ? '' : ` ${param.unit}`;
  switch (param.type) {
    case 'boolean':
      return typeof value === 'boolean' ? null : `must be true or false, not ${JSON.stringify(value)}`;
    case 'choice':
      return typeof value === 'string' && param.choices.includes(value)
        ? null
        : `must be one of ${list(param.choices)}, not ${JSON.stringify(value)}`;
    case 'number':
    case 'integer':
      if (typeof value !== 'number' || !Number.isFinite(value)) return `must be a number, not ${JSON.stringify(value)}`;
      if (param.type === 'integer' && !Number.isInteger(value)) return `must be a whole number, not ${value}`;
      if (param.min !== null && value < param.min) return `must be at least ${param.min}${unit}, not ${value}`;
      if (param.max !== null && value > param.max) return `must be at most ${param.max}${unit}, not ${value}`;
      return null;
    case 'weights':
      return weightsFault(param, value, find);
  }
}

/** Weights that another parameter asks for, and that are not given. */
const missingWeights = (
  owner: string,
  params: ParamValues,
  known: readonly ParamDescriptor[],
  path: Path,
): SpecProblem[] =>
  known.flatMap(({ name, needed_with: need }) => {
    const chosen = need && (params[need.param] ?? known.find((param) => param.name === need.param)?.default);
    if (need === undefined || chosen !== need.value || (params[name] ?? '') !== '') return [];
    return [
      {
        path: [...path, name],
        message: `${owner}: ${name} must name a weights file when ${need.param} is ${need.value}`,
      },
    ];
  });

export function checkParams(
  owner: string,
  params: ParamValues,
  known: readonly ParamDescriptor[],
  path: Path,
  findWeights = NO_WEIGHTS,
): SpecProblem[] {
  const problems = Object.entries(params).flatMap(([name, value]) => {
    const param = known.find((candidate) => candidate.name === name);
    if (param === undefined)
      return [
        {
          path: [...path, name],
          message: `${owner} has no parameter “${name}”; it has: ${list(known.map((p) => p.name))}`,
        },
      ];
    const fault = valueFault(param, value, findWeights);
    return fault === null ? [] : [{ path: [...path, name], message: `${owner}: ${name} ${fault}` }];
  });
  return [...problems, ...missingWeights(owner, params, known, path)];
}
