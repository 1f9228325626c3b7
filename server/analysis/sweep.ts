// The axis that is any parameter: what a spec is with one of its values, which cells it changes, and what is wrong with it.
import { list, type SpecProblem } from '#analysis/check-params';
import { changedParams } from '#analysis/params';
import { ALL, metFlow } from '#analysis/sweep-name';
import { sweepPlaces } from '#analysis/sweep-places';
import type { CcaDescriptor, EngineListing, ParamDescriptor } from '#protocol/cca';
import { faultsOf } from '#protocol/faults';
import { ExperimentSpec, withAbleAck, type FlowSpec, type ParamValues, type QueueSpec } from '#protocol/spec';
import { USUAL_SOURCES, type SourceKind, type SourceSpec } from '#protocol/source';
import type { Swept, SweepValue } from '#protocol/sweep';

/** Axes already, whose own lists take values. */
const AXES = ['traces', 'buffers', 'base_rtt_ms', 'loss'];

const has = (params: readonly ParamDescriptor[] | undefined, name: string): boolean =>
  params?.some((param) => param.name === name) ?? false;

/** Whether the entry of an axis, `ccas` or `queues`, is what `path` names. */
function isNamed(
  path: string,
  { id }: { readonly id: string },
  known: readonly { readonly id: string; readonly params: readonly ParamDescriptor[] }[],
): boolean {
  const [, of, name = ''] = path.split('.');
  if (of !== ALL) return of === id;
  return has(known.find((each) => each.id === id)?.params, name);
}

type Axis = 'ccas' | 'queues';
const axisOf = (path: string): Axis | null =>
  path.startsWith('ccas.') ? 'ccas' : path.startsWith('queues.') ? 'queues' : null;
const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** A copy with a value at a place; `*` is all entries of a list. */
function put(at: unknown, [key, ...rest]: readonly string[], value: SweepValue): unknown {
  if (key === undefined) return value;
  if (Array.isArray(at))
    return at.map((entry, i) => (key === ALL || key === String(i) ? put(entry, rest, value) : (entry as unknown)));
  const own = (typeof at === 'object' ? at : undefined) as Readonly<Record<string, unknown>> | undefined;
  return { ...own, [key]: put(own?.[key], rest, value) };
}

/** Of an application the kind: as the flow has it, or as one of that kind begins. What there is not stands there, to be refused. */
const ofKind = (source: SourceSpec, kind: SweepValue): SourceSpec =>
  source.kind === kind
    ? source
    : typeof kind === 'string' && Object.hasOwn(USUAL_SOURCES, kind)
      ? USUAL_SOURCES[kind as SourceKind]
      : ({ kind } as unknown as SourceSpec);

/** Another algorithm has parameters of its own. */
const withCca = (flow: FlowSpec, id: SweepValue): FlowSpec =>
  flow.cca === '$cca' || flow.cca.id === id ? flow : { ...flow, cca: { id: id as string, params: {} } };

/** Whether the sweep decides if a flow’s receiver can acknowledge as Linux’ does. */
export const sweepsAcks = ({ sweep }: Pick<ExperimentSpec, 'sweep'>, flow: number): boolean =>
  [String(flow), ALL].some((place) =>
    ['transport', 'ack_every'].some((field) => sweep?.path === `flows.${place}.${field}`),
  );

/** The spec with a value at the place, and no sweep. Where the place is checked: `sweepPlaces`. */
export function withValue(
  { sweep: _, ...spec }: ExperimentSpec,
  { path, value }: Swept,
  listing: EngineListing,
): ExperimentSpec {
  const axis = axisOf(path);
  if (axis !== null) {
    const known: readonly { readonly id: string; readonly params: readonly ParamDescriptor[] }[] = listing[axis];
    const set = <T extends { readonly id: string; readonly params: ParamValues }>(ref: T): T => {
      if (!isNamed(path, ref, known)) return ref;
      const params = { ...ref.params, [lastOf(path)]: value };
      return { ...ref, params: changedParams(params, known.find(({ id }) => id === ref.id)?.params ?? []) };
    };
    return axis === 'ccas' ? { ...spec, ccas: spec.ccas.map(set) } : { ...spec, queues: spec.queues.map(set) };
  }
  // Whatever was there: a rate and a trace are told apart by their keys.
  if (path.startsWith('reverse.')) return { ...spec, reverse: { rate_mbps: value as number } };
  const [, place] = /^flows\.(\d+)\.source\.kind$/.exec(path) ?? [];
  if (place !== undefined) {
    const flows = spec.flows.map((flow, i) =>
      i === Number(place) ? { ...flow, source: ofKind(flow.source, value) } : flow,
    );
    return { ...spec, flows };
  }
  const met = metFlow(path);
  if (met !== null) return { ...spec, flows: spec.flows.map((flow, i) => (i === met ? withCca(flow, value) : flow)) };
  const next = put(spec, path.split('.'), value) as ExperimentSpec;
  return path.startsWith('flows.') ? { ...next, flows: next.flows.map(withAbleAck) } : next;
}

/** The axes without what the sweep writes there anyway. */
export function withoutSwept(
  { sweep, ccas, queues }: ExperimentSpec,
  listing: EngineListing,
): Pick<ExperimentSpec, Axis> {
  const axis = sweep === undefined ? null : axisOf(sweep.path);
  if (sweep === undefined || axis === null) return { ccas, queues };
  const name = lastOf(sweep.path);
  const without = <T extends { readonly id: string; readonly params: ParamValues }>(ref: T): T =>
    isNamed(sweep.path, ref, listing[axis])
      ? { ...ref, params: Object.fromEntries(Object.entries(ref.params).filter(([key]) => key !== name)) }
      : ref;
  return axis === 'ccas' ? { ccas: ccas.map(without), queues } : { ccas, queues: queues.map(without) };
}

/** Whether a cell of this CCA and discipline is another one for each value. */
export function isSwept(path: string, cca: CcaDescriptor, queue: QueueSpec, listing: EngineListing): boolean {
  const axis = axisOf(path);
  if (axis === 'ccas') return isNamed(path, cca, listing.ccas);
  // An ideal is computed from the trace alone: of all that can be swept its flow’s times alone mean something.
  if (axis === 'queues') return cca.kind !== 'ideal' && isNamed(path, queue, listing.queues);
  return cca.kind !== 'ideal' || (path.startsWith('flows.') && metFlow(path) === null);
}

/** What there is where the path leaves what can be swept. */
function unknownPlace(path: string, places: readonly string[]): string {
  const parts = path.split('.');
  const steps = parts.map((_, i) => parts.slice(0, parts.length - 1 - i));
  const known = steps.find((step) => places.some((place) => place.startsWith(`${step.join('.')}.`))) ?? [];
  const prefix = known.length === 0 ? '' : `${known.join('.')}.`;
  const next = new Set(
    places.flatMap((place) => (place.startsWith(prefix) ? (place.slice(prefix.length).split('.')[0] ?? []) : [])),
  );
  const there = known.length === 0 ? 'there is' : `in ${known.join('.')} there is`;
  const axis = AXES.find((each) => each === parts[0]);
  return axis === undefined
    ? `nothing called “${path}” can be swept; ${there}: ${list([...next])}`
    : `${axis} is an axis of its own: give it several values instead`;
}

/** What the schema says of a value where it would be written: of that place alone, as others may hold long recordings. */
function faultOfForm(spec: ExperimentSpec, swept: Swept, next: ExperimentSpec): string | null {
  const [root, first = '', second] = swept.path.split('.');
  if (root === 'ccas' || root === 'queues') return null;
  const { duration_s } = spec;
  const flows = first === ALL ? next.flows : next.flows.slice(Number(first), Number(first) + 1);
  const element = next.elements?.[first as 'forward' | 'reverse']?.[Number(second)];
  const parsed = ExperimentSpec.safeParse({
    duration_s,
    traces: [{ rate_mbps: 1 }],
    ccas: [{ id: 'any' }],
    ...(root === 'flows' ? { flows } : {}),
    ...(root === 'elements' ? { elements: { [first]: [element] } } : {}),
    ...(root === 'reverse' ? { reverse: next.reverse } : {}),
  });
  if (parsed.success) return null;
  const [fault] = faultsOf(parsed.error);
  return fault === undefined ? 'cannot be' : fault.detail;
}

/** `check`: of a spec without a sweep, whose own problems are known already. */
export function checkSweep(
  spec: ExperimentSpec,
  listing: EngineListing,
  check: (spec: ExperimentSpec) => readonly SpecProblem[],
): SpecProblem[] {
  const { sweep } = spec;
  if (sweep === undefined) return [];
  const places = sweepPlaces(spec, listing).map(({ path }) => path);
  if (!places.includes(sweep.path)) return [{ path: ['sweep', 'path'], message: unknownPlace(sweep.path, places) }];
  return sweep.values.flatMap((value, i): SpecProblem[] => {
    const swept = { path: sweep.path, value };
    const next = withValue(spec, swept, listing);
    const path = ['sweep', 'values', i];
    const fault = faultOfForm(spec, swept, next);
    if (fault !== null) return [{ path, message: `${sweep.path} = ${JSON.stringify(value)}: ${fault}` }];
    const messages = new Set(check(next).map(({ message }) => message));
    return [...messages].map((message) => ({ path, message: `${sweep.path} = ${JSON.stringify(value)}: ${message}` }));
  });
}
