// What the schema cannot know: whether the CCAs, queue disciplines, parameters and traces that a spec names exist here, and
// whether their values are allowed. Every fault is collected with its place, so that a form can mark all of them at once.
import { checkParams, list, NO_WEIGHTS, type FindWeights, type SpecProblem } from '#analysis/check-params';
import { checkSources } from '#analysis/check-sources';
import { baselineOf, engineOf, hasOurWindow, isCompetitor, isOffered, isPlugin, overTun } from '#analysis/kinds';
import { checkElements, checkJoins } from '#analysis/path-elements';
import { checkSweep } from '#analysis/sweep';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import { isOwnCca } from '#protocol/own-id';
import type { CcaRef, ChosenCca, ExperimentSpec, QueueSpec, TraceRef } from '#protocol/spec';

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

const engineName = (engine: ExperimentSpec['engine']): string => (engine === 'virtual' ? 'virtual time' : 'real time');

const unknownCca = (id: string, { ccas }: EngineListing): string =>
  isOwnCca(id)
    ? `the own algorithm ${id} is not here: open its text in the editor (/write) and save it, send it with \`paceline algorithms add FILE\`, or import a bundle that carries it`
    : `there is no CCA “${id}”; there are: ${list(ccas.filter(isOffered).map((cca) => cca.id))}`;

function checkCca(
  ref: CcaRef,
  spec: ExperimentSpec,
  listing: EngineListing,
  findWeights: FindWeights,
  path: Path,
): SpecProblem[] {
  const cca = listing.ccas.find((candidate) => candidate.id === ref.id);
  if (cca === undefined) return [{ path: [...path, 'id'], message: unknownCca(ref.id, listing) }];
  const problems = checkParams(cca.label, ref.params, cca.params, [...path, 'params'], findWeights);
  if (cca.unavailable !== undefined)
    problems.push({ path: [...path, 'id'], message: `${cca.label} cannot be used here: ${cca.unavailable}` });
  else if (engineOf(cca, spec.engine) === null)
    problems.push({
      path: [...path, 'id'],
      message: `${cca.label} does not run in ${engineName(spec.engine)}; it runs in: ${list(cca.engines.map(engineName))}`,
    });
  return problems;
}

function checkQueue({ id, params }: QueueSpec, { queues }: EngineListing, path: Path): SpecProblem[] {
  const queue = queues.find((candidate) => candidate.id === id);
  if (queue !== undefined) return checkParams(queue.label, params, queue.params, [...path, 'params']);
  const message = `there is no queue discipline “${id}”; there are: ${list(queues.map((known) => known.id))}`;
  return [{ path: [...path, 'id'], message }];
}

/** What a CCA brings along: a discipline that there is, a transport where ours is used, a window where a receiver has one. */
function checkOwn(
  { id, transport, queue, window_limit_bytes }: ChosenCca,
  listing: EngineListing,
  path: Path,
): SpecProblem[] {
  const cca = listing.ccas.find((candidate) => candidate.id === id);
  if (cca === undefined) return [];
  const problems = queue === undefined ? [] : checkQueue(queue, listing, [...path, 'queue']);
  const ideal = `${cca.label} is computed from the trace alone: leave it out`;
  if (cca.kind === 'ideal' && queue !== undefined) problems.push({ path: [...path, 'queue'], message: ideal });
  if (transport !== undefined && (cca.kind === 'ideal' || overTun(cca))) {
    const message = cca.kind === 'ideal' ? ideal : `${cca.label} is its own transport: leave it out`;
    problems.push({ path: [...path, 'transport'], message });
  }
  if (window_limit_bytes !== undefined && !hasOurWindow(cca)) {
    const message = `${cca.label} has no receive window of ours: leave it out`;
    problems.push({ path: [...path, 'window_limit_bytes'], message });
  }
  return problems;
}

function checkTrace(ref: TraceRef, find: FindTrace, path: Path): SpecProblem[] {
  if ('rate_mbps' in ref || find(ref.trace) !== undefined) return [];
  return [
    { path: [...path, 'trace'], message: `there is no trace “${ref.trace}”; upload it first, or check its name` },
  ];
}

function checkFlows(spec: ExperimentSpec, listing: EngineListing, findWeights: FindWeights): SpecProblem[] {
  const chosen = listing.ccas.filter(({ id }) => spec.ccas.some((ref) => ref.id === id));
  const problems = spec.flows.flatMap((flow, i) => {
    if (flow.cca === '$cca') return [];
    const path = ['flows', i, 'cca'];
    const id = flow.cca.id;
    const faults = checkCca(flow.cca, spec, listing, findWeights, path);
    const cca = listing.ccas.find((candidate) => candidate.id === id);
    if (cca === undefined) return faults;
    if (!isCompetitor(cca))
      faults.push({
        path: [...path, 'id'],
        message: `${cca.label} is a reference, not a competitor: it cannot share the link`,
      });
    const other = chosen.find((candidate) => isCompetitor(candidate) && overTun(candidate) !== overTun(cca));
    if (isCompetitor(cca) && other !== undefined)
      faults.push({
        path: [...path, 'id'],
        message: `${cca.label} and ${other.label} cannot share the link: the flows of a run are all ours or all of real stacks`,
      });
    return faults;
  });
  if (!spec.flows.some((flow) => flow.cca === '$cca'))
    problems.push({ path: ['flows'], message: 'no flow runs the chosen CCAs: give at least one flow the CCA “$cca”' });
  return problems;
}

/** Plug-ins run in native programs alone, and texts in the engine as WebAssembly alone. */
function checkHosts(spec: ExperimentSpec, { ccas }: EngineListing): SpecProblem[] {
  const of = (id: string): readonly CcaDescriptor[] => ccas.filter((cca) => cca.id === id);
  const fixed = spec.flows.map(({ cca }) => (cca === '$cca' ? [] : of(cca.id)));
  const all = [...spec.ccas.flatMap(({ id }) => of(id)), ...fixed.flat()];
  return fixed.flatMap(([cca], i) => {
    if (cca === undefined) return [];
    const other = all.find((one) => (isPlugin(one) ? cca.own : isPlugin(cca) ? one.own : undefined) !== undefined);
    if (other === undefined) return [];
    const message = `${cca.label} and ${other.label} cannot share the link: plug-ins run in native programs, own algorithms in the engine as WebAssembly`;
    return [{ path: ['flows', i, 'cca', 'id'], message }];
  });
}

function checkPairs(spec: ExperimentSpec, listing: EngineListing): SpecProblem[] {
  const chosen = listing.ccas.filter((cca) => isCompetitor(cca) && spec.ccas.some((ref) => ref.id === cca.id));
  const path = ['full_scores'];
  return [...new Map(chosen.map((cca) => [cca.kind, cca])).values()].flatMap((cca) => {
    const baseline = baselineOf(listing, cca);
    if (baseline === undefined)
      return [{ path, message: `the engine names no baseline CCA to pair ${cca.label} and its like with` }];
    if (engineOf(baseline, spec.engine) !== null) return [];
    const message = `${baseline.label}, the baseline of the pairs, does not run in ${engineName(spec.engine)}`;
    return [{ path, message }];
  });
}

export function checkSpec(
  spec: ExperimentSpec,
  listing: EngineListing,
  find: FindTrace,
  findWeights = NO_WEIGHTS,
): SpecProblem[] {
  const problems = [
    ...spec.traces.flatMap((ref, i) => checkTrace(ref, find, ['traces', i])),
    ...(spec.reverse === undefined ? [] : checkTrace(spec.reverse, find, ['reverse'])),
    ...spec.ccas.flatMap((ref, i) => [
      ...checkCca(ref, spec, listing, findWeights, ['ccas', i]),
      ...checkOwn(ref, listing, ['ccas', i]),
    ]),
    ...spec.queues.flatMap((ref, i) => checkQueue(ref, listing, ['queues', i])),
    ...checkJoins(spec),
    ...checkElements(spec, listing, (ref, path) => checkTrace(ref, find, path)),
    ...checkFlows(spec, listing, findWeights),
    ...checkHosts(spec, listing),
    ...checkSources(spec, listing),
  ];
  if (spec.full_scores) problems.push(...checkPairs(spec, listing));
  if (problems.length > 0) return problems;
  return checkSweep(spec, listing, (written) => checkSpec(written, listing, find, findWeights));
}
