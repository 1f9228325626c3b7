import { describe, expect, test } from 'vitest';
import { kindSpec, turnsIn, turnsOf } from '#analysis/kind-spec';
import { LISTING } from '#analysis/testing';
import { ExperimentKind } from '#protocol/experiment-kind';
import { ExperimentSpec, FlowSpec } from '#protocol/spec';

const kind = (more: object): ExperimentKind =>
  ExperimentKind.parse({
    id: 'any',
    order: 1,
    title: 'Any',
    question: 'What?',
    sets: { duration_s: 30 },
    front: ['limits'],
    answer: { figure: 'cells', text: 'There.' },
    ...more,
  });
const ccas = (...ids: string[]) => ids.map((id) => ({ id, params: {} }));
const CHOICE = { traces: [{ rate_mbps: 12 }], ccas: ccas('rival'), stacks: false };

describe('flows that take turns', () => {
  test('by hand: three in 100 s have 60 s each, and all of them the middle fifth', () => {
    const flows = turnsOf(3, 100);
    expect(flows.map(({ start_s, stop_s = 100 }) => [start_s, stop_s])).toEqual([
      [0, 60],
      [20, 80],
      [40, 100],
    ]);
  });

  test('are of equal length whatever their number, and are known again', () => {
    for (const [n, duration] of [
      [2, 60],
      [7, 33],
      [64, 120],
    ] as const) {
      const flows = turnsOf(n, duration).map((flow) => FlowSpec.parse(flow));
      for (const { start_s, stop_s = duration } of flows)
        expect(stop_s - start_s).toBeCloseTo((n * duration) / (2 * n - 1), 2);
      expect(turnsIn(flows, duration)).toBe(n);
      expect(turnsIn(flows, duration + 1)).toBeNull();
    }
    expect(turnsIn([FlowSpec.parse({})], 60)).toBeNull();
    expect(turnsIn([FlowSpec.parse({}), FlowSpec.parse({})], 60)).toBeNull();
  });
});

describe('a kind', () => {
  test('sets its part of a spec and leaves traces and algorithms to whoever asks', () => {
    const spec = kindSpec(kind({ sets: { duration_s: 30, buffers: [{ bdp: 2 }] } }), CHOICE, LISTING);
    expect(ExperimentSpec.parse(spec)).toMatchObject({
      traces: [{ rate_mbps: 12 }],
      ccas: [{ id: 'rival' }],
      buffers: [{ bdp: 2 }],
      duration_s: 30,
    });
    expect(spec.sweep).toBeUndefined();
  });

  test('puts the baseline of the stack, or who was named, in the place of the other', () => {
    const meeting = kind({ sets: { flows: [{}, { cca: '$other' }] } });
    const other = (choice: object) => kindSpec(meeting, { ...CHOICE, ...choice }, LISTING).flows?.[1]?.cca;
    expect(other({})).toEqual({ id: 'base' });
    expect(other({ ccas: ccas('kernel-rival') })).toEqual({ id: 'kernel-base' });
    expect(other({ other: 'slow' })).toEqual({ id: 'slow' });
  });

  test('sweeps the first number of the first algorithm that has one, within its bounds', () => {
    const sweep = (...ids: string[]) =>
      kindSpec(kind({ parameter: true }), { ...CHOICE, ccas: ccas(...ids) }, LISTING).sweep;
    expect(sweep('rival', 'base')).toEqual({ path: 'ccas.base.beta', values: [0.35, 0.7, 0.9] });
    expect(sweep('rival')).toBeUndefined();
    const asked = { path: 'reverse.rate_mbps', values: [1, 2] };
    expect(kindSpec(kind({ parameter: true }), { ...CHOICE, sweep: asked }, LISTING).sweep).toEqual(asked);
  });

  test('adds the same algorithms of real stacks where they run, each once', () => {
    const ids = (stacks: boolean, ...chosen: string[]) =>
      kindSpec(kind({ stacks: ['kernel', 'quic'] }), { ...CHOICE, ccas: ccas(...chosen), stacks }, LISTING).ccas.map(
        ({ id }) => id,
      );
    expect(ids(true, 'base')).toEqual(['base', 'kernel-base', 'quic-base']);
    expect(ids(true, 'base', 'kernel-base')).toEqual(['base', 'kernel-base', 'quic-base']);
    expect(ids(true, 'slow')).toEqual(['slow']);
    expect(ids(false, 'base')).toEqual(['base']);
  });
});
