// The path of a draft: the link's own three elements, and what is put beside them.
import { isOwn } from '#analysis/own-elements';
import type { ExperimentSpec, PathElement } from '#protocol/spec';

export type Direction = keyof NonNullable<ExperimentSpec['elements']>;
type WithElements = Pick<ExperimentSpec, 'elements'>;

const OWN_LOSS: PathElement = { element: 'loss' };
export const USUAL: readonly PathElement[] = [OWN_LOSS, { element: 'bottleneck' }, { element: 'delay' }];

/** All elements in order. The link's own loss is in front where it is not named. */
export function pathOf({ elements }: WithElements, direction: Direction): readonly PathElement[] {
  const given = elements?.[direction];
  if (given === undefined) return USUAL;
  return given.some((element) => isOwn(element) && element.element === 'loss') ? given : [OWN_LOSS, ...given];
}

const isUsual = (path: readonly PathElement[]): boolean =>
  path.length === USUAL.length && path.every((element, i) => isOwn(element) && element.element === USUAL[i]?.element);

/** The same experiment with another path; one without any of its own elements has none to say. */
export function withPath(
  { elements }: WithElements,
  direction: Direction,
  path: readonly PathElement[],
): { elements: ExperimentSpec['elements'] } {
  const { [direction]: _, ...other } = elements ?? {};
  const next = isUsual(path) ? other : { ...other, [direction]: [...path] };
  return { elements: Object.keys(next).length === 0 ? undefined : next };
}

/** In front of the link's own bottleneck, where senders' packets meet it first. */
export const placeOfAdded = (path: readonly PathElement[]): number =>
  path.findIndex((each) => isOwn(each) && each.element === 'bottleneck');

export const added = (path: readonly PathElement[], element: PathElement): PathElement[] =>
  path.toSpliced(placeOfAdded(path), 0, element);

/** One place on; at the ends it stays. */
export function moved(path: readonly PathElement[], from: number, by: -1 | 1): PathElement[] {
  const element = path[from];
  const to = from + by;
  if (element === undefined || to < 0 || to >= path.length) return [...path];
  return path.toSpliced(from, 1).toSpliced(to, 0, element);
}

/** Flows that join an element go on to join it when the list is written with the link's own loss in front, and a place that is gone is left. */
export function joinsAfter(
  flows: ExperimentSpec['flows'],
  before: WithElements,
  after: WithElements,
): ExperimentSpec['flows'] {
  const shift = pathOf(before, 'forward').length - (before.elements?.forward ?? []).length;
  const places = after.elements?.forward?.length ?? 0;
  return flows.map(({ joins, ...flow }) => {
    const place = joins === undefined ? 0 : joins + (before.elements?.forward === undefined ? 0 : shift);
    return place === 0 || place >= places ? flow : { ...flow, joins: place };
  });
}
