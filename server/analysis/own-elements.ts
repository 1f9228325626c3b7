// Which elements of a path are the cell's own link, and whose data pass it.
import type { PathElementManifest, RunManifest } from '#protocol/manifest';
import type { PathElement } from '#protocol/spec';

const OWN = ['loss', 'bottleneck', 'delay'];
export const DIRECTIONS = ['forward', 'reverse'] as const;

/** Named without values: the cell's. */
export const isOwn = ({ element, ...values }: PathElement | PathElementManifest): boolean =>
  OWN.includes(element) && Object.values(values).every((value) => value === undefined);

/** The flows, from 0, whose data enter `path` behind the link's own bottleneck: they share nothing of its capacity. */
export function flowsBeside(
  path: readonly Parameters<typeof isOwn>[0][] | undefined,
  flows: readonly { readonly joins?: number | undefined }[],
): number[] {
  const bottleneck = (path ?? []).findIndex((each) => each.element === 'bottleneck' && isOwn(each));
  return bottleneck < 0 ? [] : flows.flatMap(({ joins = 0 }, flow) => (joins > bottleneck ? [flow] : []));
}

/** Whether the flow's data pass the link's own bottleneck. */
export const passesLink = ({ forward, flows }: Pick<RunManifest, 'forward' | 'flows'>, flow: number): boolean =>
  !flowsBeside(forward.path, flows).includes(flow);
