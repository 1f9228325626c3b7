import { describe, expect, it, test } from 'vitest';
import { ExperimentSpec } from '#protocol/spec';
import { added, joinsAfter, moved, pathOf, USUAL, withPath } from './path-draft';

type Elements = Pick<ExperimentSpec, 'elements'>;
const names = (path: readonly { readonly element: string }[]): string => path.map(({ element }) => element).join(' ');
const POLICED = { element: 'policer', params: { rate_mbps: 5 } };

describe('the path of a draft', () => {
  it('is the usual one where none is given, in each direction by itself', () => {
    const draft: Elements = { elements: { reverse: [{ element: 'jitter' }, ...USUAL] } };
    expect(names(pathOf(draft, 'forward'))).toBe('loss bottleneck delay');
    expect(names(pathOf(draft, 'reverse'))).toBe('jitter loss bottleneck delay');
  });

  it('has the link’s own loss in front when it is not named, and not a second one when it is', () => {
    const further = { element: 'loss', params: { probability: 0.1 } };
    const path = [further, { element: 'bottleneck' }, { element: 'delay' }];
    expect(names(pathOf({ elements: { forward: path } }, 'forward'))).toBe('loss loss bottleneck delay');
    expect(pathOf({ elements: { forward: [{ element: 'loss' }, ...path] } }, 'forward')).toHaveLength(4);
  });

  it('gets elements in front of the link’s own bottleneck, and they move one place at a time', () => {
    const path = added(USUAL, { element: 'handover', params: {} });
    expect(names(path)).toBe('loss handover bottleneck delay');
    expect(names(moved(path, 1, 1))).toBe('loss bottleneck handover delay');
    expect(names(moved(path, 1, -1))).toBe('handover loss bottleneck delay');
    expect(names(moved(path, 0, -1))).toBe('loss handover bottleneck delay');
    expect(names(moved(path, 3, 1))).toBe('loss handover bottleneck delay');
    expect(
      names(added([{ element: 'bottleneck', capacity: { rate_mbps: 9 } }, ...USUAL], { element: 'mark', params: {} })),
    ).toBe('bottleneck loss mark bottleneck delay');
  });

  it('is nothing to say when it is the usual one again', () => {
    const one = withPath({}, 'forward', [POLICED, ...USUAL]);
    expect(one.elements).toEqual({ forward: [POLICED, ...USUAL] });
    const both = withPath(one, 'reverse', [...USUAL].reverse());
    expect(Object.keys(both.elements ?? {})).toEqual(['forward', 'reverse']);
    expect(withPath(both, 'forward', USUAL).elements).toEqual({ reverse: [...USUAL].reverse() });
    expect(withPath(one, 'forward', USUAL)).toEqual({ elements: undefined });
  });
});

test('flows go on to join their element when the list gets the link’s own loss, and leave a place that is gone', () => {
  const { flows } = ExperimentSpec.parse({
    traces: [{ rate_mbps: 1 }],
    ccas: [{ id: 'a' }],
    flows: [{}, { joins: 1 }, { joins: 2 }],
  });
  const before = {
    elements: { forward: [{ element: 'bottleneck' }, { element: 'mark', params: {} }, { element: 'delay' }] },
  };
  const joins = (after: Parameters<typeof joinsAfter>[2]) => joinsAfter(flows, before, after).map((flow) => flow.joins);
  expect(joins(withPath(before, 'forward', pathOf(before, 'forward')))).toEqual([undefined, 2, 3]);
  expect(joins({})).toEqual([undefined, undefined, undefined]);
});
