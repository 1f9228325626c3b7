// What the schema cannot know: whether the CCAs, queue disciplines, parameters and traces that a spec names exist here, and
// whether their values are allowed. Every fault is collected with its place, so that a form can mark all of them at once.
import type { CcaDescriptor, EngineListing, ParamDescriptor } from '#protocol/cca';
import type { CcaRef, ExperimentSpec, ParamValues, TraceRef } from '#protocol/spec';

export interface SpecProblem {
  /** Place in the spec, as zod gives it: ['ccas', 2, 'params', 'beta']. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What the planner needs to know about a stored trace. */
export interface TraceFacts {
  /** Content hash. */
  readonly id: string;
  readonly name: string;
  readonly mean_mbps: number;
  readonly period_ms: number;
}

/** Finds a trace by the name or the content hash that a person wrote. */
export type FindTrace = (reference: string) => TraceFacts | undefined;

type Path = SpecProblem['path'];

const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

function valueFault(param: ParamDescriptor, value: number | boolean | string): string | null {
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
  }
}

export function checkParams(
  owner: string,
  params: ParamValues,
  known: readonly ParamDescriptor[],
  path: Path,
): SpecProblem[] {
  return Object.entries(params).flatMap(([name, value]) => {
    const param = known.find((candidate) => candidate.name === name);
    if (param === undefined)
      return [
        {
          path: [...path, name],
          message: `${owner} has no parameter “${name}”; it has: ${list(known.map((p) => p.name))}`,
        },
      ];
    const fault = valueFault(param, value);
    return fault === null ? [] : [{ path: [...path, name], message: `${owner}: ${name} ${fault}` }];
  });
}

/** Every parameter with a value: what was given, else the default. */
export const completeParams = (params: ParamValues, known: readonly ParamDescriptor[]): ParamValues =>
  Object.fromEntries(known.map((param) => [param.name, params[param.name] ?? param.default]));

/** Only what differs from the default: two ways of writing the same CCA become one. */
export const changedParams = (params: ParamValues, known: readonly ParamDescriptor[]): ParamValues =>
  Object.fromEntries(
    Object.entries(params).filter(([name, value]) => known.find((param) => param.name === name)?.default !== value),
  );

/** References may be computed in virtual time beside a real-time experiment; competitors must run where the spec says. */
export const enginesOf = (cca: CcaDescriptor, engine: ExperimentSpec['engine']): ExperimentSpec['engine'] | null => {
  if (cca.engines.includes(engine)) return engine;
  return cca.kind !== 'sender' && cca.engines.includes('virtual') ? 'virtual' : null;
};

const engineName = (engine: ExperimentSpec['engine']): string => (engine === 'virtual' ? 'virtual time' : 'real time');

function checkCca(ref: CcaRef, spec: ExperimentSpec, listing: EngineListing, path: Path): SpecProblem[] {
  const cca = listing.ccas.find((candidate) => candidate.id === ref.id);
  if (cca === undefined)
    return [
      {
        path: [...path, 'id'],
        message: `there is no CCA “${ref.id}”; there are: ${list(listing.ccas.map((c) => c.id))}`,
      },
    ];
  const problems = checkParams(cca.label, ref.params, cca.params, [...path, 'params']);
  if (enginesOf(cca, spec.engine) === null)
    problems.push({
      path: [...path, 'id'],
      message: `${cca.label} does not run in ${engineName(spec.engine)}; it runs in: ${list(cca.engines.map(engineName))}`,
    });
  return problems;
}

function checkTrace(ref: TraceRef, find: FindTrace, path: Path): SpecProblem[] {
  if ('rate_mbps' in ref || find(ref.trace) !== undefined) return [];
  return [
    { path: [...path, 'trace'], message: `there is no trace “${ref.trace}”; upload it first, or check its name` },
  ];
}

function checkFlows(spec: ExperimentSpec, listing: EngineListing): SpecProblem[] {
  const problems = spec.flows.flatMap((flow, i) => {
    if (flow.cca === '$cca') return [];
    const path = ['flows', i, 'cca'];
    const id = flow.cca.id;
    const faults = checkCca(flow.cca, spec, listing, path);
    const cca = listing.ccas.find((candidate) => candidate.id === id);
    if (cca !== undefined && cca.kind !== 'sender')
      faults.push({
        path: [...path, 'id'],
        message: `${cca.label} is a reference, not a competitor: it cannot share the link`,
      });
    return faults;
  });
  if (!spec.flows.some((flow) => flow.cca === '$cca'))
    problems.push({ path: ['flows'], message: 'no flow runs the chosen CCAs: give at least one flow the CCA “$cca”' });
  return problems;
}

export function checkSpec(spec: ExperimentSpec, listing: EngineListing, find: FindTrace): SpecProblem[] {
  const problems = [
    ...spec.traces.flatMap((ref, i) => checkTrace(ref, find, ['traces', i])),
    ...(spec.reverse === undefined ? [] : checkTrace(spec.reverse, find, ['reverse'])),
    ...spec.ccas.flatMap((ref, i) => checkCca(ref, spec, listing, ['ccas', i])),
    ...spec.queues.flatMap((ref, i) => {
      const queue = listing.queues.find((candidate) => candidate.id === ref.id);
      if (queue !== undefined) return checkParams(queue.label, ref.params, queue.params, ['queues', i, 'params']);
      const known = list(listing.queues.map((q) => q.id));
      return [{ path: ['queues', i, 'id'], message: `there is no queue discipline “${ref.id}”; there are: ${known}` }];
    }),
    ...checkFlows(spec, listing),
  ];
  if (spec.full_scores) {
    const baseline = listing.ccas.find((cca) => cca.baseline);
    if (baseline === undefined)
      problems.push({ path: ['full_scores'], message: 'the engine names no baseline CCA to pair the others with' });
    else if (enginesOf(baseline, spec.engine) === null)
      problems.push({
        path: ['full_scores'],
        message: `${baseline.label}, the baseline of the pairs, does not run in ${engineName(spec.engine)}`,
      });
  }
  return problems;
}
