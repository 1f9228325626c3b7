// The elements of a path: what the schema cannot know of them, their one form in a spec, and what they are in a manifest.
import { checkParams } from '#analysis/check-params';
import { changedParams, completeParams } from '#analysis/params';
import type { SpecProblem } from '#analysis/check-params';
import { resolveLimit } from '#analysis/limits';
import { DIRECTIONS, isOwn } from '#analysis/own-elements';
import type { ElementDescriptor, EngineListing, QueueDescriptor } from '#protocol/cca';
import type { CapacitySpec, PathElementManifest } from '#protocol/manifest';
import { type RecordedDelays, recordedPeriodMs } from '#protocol/recorded-delays';
import { QueueSpec } from '#protocol/spec';
import type { ExperimentSpec, ParamValues, PathElement, TraceRef } from '#protocol/spec';

/** Without these a cell's trace, queue and base RTT would have no place. */
const NEEDED = ['bottleneck', 'delay'];

const elementOf = (listing: EngineListing, id: string): ElementDescriptor | undefined =>
  listing.elements?.find((known) => known.id === id);
const queueOf = (listing: EngineListing, id: string): QueueDescriptor | undefined =>
  listing.queues.find((known) => known.id === id);
const list = (known: readonly { readonly id: string }[]): string => known.map(({ id }) => id).join(', ');

type Path = SpecProblem['path'];

function checkQueueing(element: PathElement, label: string, queues: boolean, listing: EngineListing, path: Path) {
  const problems: SpecProblem[] = [];
  if (!queues) {
    for (const key of ['capacity', 'queue', 'buffer'] as const)
      if (element[key] !== undefined) problems.push({ path: [...path, key], message: `${label} has no ${key}` });
    return problems;
  }
  if (element.capacity === undefined)
    problems.push({ path: [...path, 'capacity'], message: `a further ${label} needs a trace or a constant rate` });
  if (element.queue === undefined) return problems;
  const queue = queueOf(listing, element.queue.id);
  if (queue === undefined) {
    const message = `there is no queue discipline “${element.queue.id}”; there are: ${list(listing.queues)}`;
    return [...problems, { path: [...path, 'queue', 'id'], message }];
  }
  return [...problems, ...checkParams(queue.label, element.queue.params, queue.params, [...path, 'queue', 'params'])];
}

/** Whether an element with these parameters repeats what was recorded. */
export function repeats({ params, recorded_with: need }: ElementDescriptor, given: ParamValues): boolean {
  if (need === undefined) return false;
  return (given[need.param] ?? params.find(({ name }) => name === need.param)?.default) === need.value;
}

function checkRecorded({ params, recorded }: PathElement, known: ElementDescriptor, path: Path): SpecProblem[] {
  const { label, recorded_with: need } = known;
  const fault = (message: string) => [{ path: [...path, 'recorded'], message: `${label}: recorded ${message}` }];
  const asks = repeats(known, params ?? {});
  if (asks && recorded === undefined) return fault(`must have the delays when ${need?.param} is ${need?.value}`);
  if (asks || recorded === undefined) return [];
  return fault(need === undefined ? 'means nothing to it' : `is for ${need.param} ${need.value} alone`);
}

/** Traces are checked by whoever knows them: `checkTrace`. */
export function checkElements(
  spec: Pick<ExperimentSpec, 'elements'>,
  listing: EngineListing,
  checkTrace: (ref: TraceRef, path: Path) => SpecProblem[],
): SpecProblem[] {
  return DIRECTIONS.flatMap((direction) => {
    const elements = spec.elements?.[direction];
    if (elements === undefined) return [];
    const where = ['elements', direction];
    const own = elements.filter(isOwn).map(({ element }) => element);
    const missing = NEEDED.filter((id) => !own.includes(id)).map((id) => ({
      path: where,
      message: `the cell’s own ${id} has no place in it: add {"element": "${id}"} where packets meet it`,
    }));
    const faults = elements.flatMap((element, i): SpecProblem[] => {
      const path = [...where, i];
      const known = elementOf(listing, element.element);
      if (known === undefined) {
        const message = `there is no path element “${element.element}”; there are: ${list(listing.elements ?? [])}`;
        return [{ path: [...path, 'element'], message }];
      }
      if (isOwn(element)) {
        if (elements.slice(0, i).every((before) => before.element !== element.element || !isOwn(before))) return [];
        const message = `the cell’s own ${element.element} is in the list already: give a further one values of its own`;
        return [{ path: [...path, 'element'], message }];
      }
      const before = elements.slice(0, i).filter((other) => other.element === element.element).length;
      const most = known.most ?? Number.POSITIVE_INFINITY;
      return [
        ...(before < most ? [] : [{ path, message: `a direction has at most ${most} ${element.element}` }]),
        ...checkParams(known.label, element.params ?? {}, known.params, [...path, 'params']),
        ...checkQueueing(element, known.label, known.queues, listing, path),
        ...checkRecorded(element, known, path),
        ...(element.capacity === undefined ? [] : checkTrace(element.capacity, [...path, 'capacity'])),
      ];
    });
    return [...missing, ...faults];
  });
}

/** Where flows enter the path: at elements that there are. */
export function checkJoins({ elements, flows }: Pick<ExperimentSpec, 'elements' | 'flows'>): SpecProblem[] {
  const forward = elements?.forward;
  return flows.flatMap(({ joins = 0 }, i) => {
    if (joins === 0 || joins < (forward?.length ?? 0)) return [];
    const message =
      forward === undefined
        ? 'there is no list of elements that a flow could join: name them in elements.forward'
        : `elements.forward has ${forward.length} elements, from 0 to ${forward.length - 1}`;
    return [{ path: ['flows', i, 'joins'], message }];
  });
}

/** Same meaning, one form. Needs checked elements. */
export function resolveElements(
  { elements }: Pick<ExperimentSpec, 'elements'>,
  listing: EngineListing,
  resolveTrace: (ref: TraceRef) => TraceRef,
): Pick<ExperimentSpec, 'elements'> {
  const one = (element: PathElement): PathElement => {
    if (isOwn(element)) return { element: element.element };
    return {
      element: element.element,
      params: changedParams(element.params ?? {}, elementOf(listing, element.element)?.params ?? []),
      ...(element.capacity === undefined ? {} : { capacity: resolveTrace(element.capacity) }),
      ...(element.queue === undefined
        ? {}
        : {
            queue: {
              id: element.queue.id,
              params: changedParams(element.queue.params, queueOf(listing, element.queue.id)?.params ?? []),
            },
          }),
      ...(element.buffer === undefined ? {} : { buffer: element.buffer }),
      ...(element.recorded === undefined ? {} : { recorded: element.recorded }),
    };
  };
  const directions = DIRECTIONS.flatMap((direction) => {
    const given = elements?.[direction];
    return given === undefined ? [] : [[direction, given.map(one)] as const];
  });
  return directions.length === 0 ? {} : { elements: Object.fromEntries(directions) };
}

export interface ElementContext {
  readonly listing: EngineListing;
  readonly baseRttMs: number;
  /** A further capacity as the manifest has it, with its mean. */
  readonly capacity: (ref: TraceRef) => { readonly spec: CapacitySpec; readonly mean_mbps: number };
  /** How far into the trace the run begins: what was recorded begins as far into itself. */
  readonly offsetMs: number;
}

const recordedFrom = (recorded: RecordedDelays, offsetMs: number): NonNullable<PathElementManifest['recorded']> => {
  // One delay alone holds for ever.
  const offset_ms = offsetMs % (recordedPeriodMs(recorded) || 1);
  return offset_ms === 0 ? recorded : { ...recorded, offset_ms };
};

/** A direction's elements as the manifest has them: every parameter with a value, limits in bytes. */
export const manifestElements = (
  elements: readonly PathElement[],
  { listing, baseRttMs, capacity, offsetMs }: ElementContext,
): PathElementManifest[] =>
  elements.map((element) => {
    if (isOwn(element)) return { element: element.element };
    const known = elementOf(listing, element.element);
    const params: ParamValues = completeParams(element.params ?? {}, known?.params ?? []);
    const { recorded } = element;
    if (recorded !== undefined) return { element: element.element, params, recorded: recordedFrom(recorded, offsetMs) };
    if (element.capacity === undefined) return { element: element.element, params };
    const queue = element.queue ?? QueueSpec.parse({});
    const { spec, mean_mbps } = capacity(element.capacity);
    const limit = resolveLimit(element.buffer ?? { infinite: true }, mean_mbps, baseRttMs);
    return {
      element: element.element,
      params,
      capacity: spec,
      queue: {
        id: queue.id,
        limit_bytes: limit.bytes,
        limit_packets: limit.packets,
        params: completeParams(queue.params, queueOf(listing, queue.id)?.params ?? []),
      },
    };
  });
