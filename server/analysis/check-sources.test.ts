import { describe, expect, it } from 'vitest';
import { sourceFault } from '#analysis/check-sources';
import { SourceSpec } from '#protocol/source';

const FRAMES = { kind: 'frames', fps: 30, rate_mbps: 4 };
const faultsOf = (source: unknown): string[] =>
  (SourceSpec.safeParse(source).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('applications', () => {
  it('have defaults, and are refused with the place', () => {
    expect(SourceSpec.parse(FRAMES)).toEqual({ ...FRAMES, key_every: 1, key_ratio: 1, deadline_ms: 100 });
    expect(SourceSpec.parse({ kind: 'transfers', bytes: 1000 })).toMatchObject({ arrivals: 'after', interval_s: 0 });
    expect(faultsOf({ kind: 'transfers', bytes: 1000, sizes: 'pareto' })).toEqual([
      'shape: is missing: sizes that are pareto need it',
    ]);
    expect(faultsOf({ kind: 'transfers', bytes: 1000, shape: 2 })).toEqual([
      'shape: is for sizes that are pareto or lognormal',
    ]);
    expect(faultsOf({ kind: 'transfers', bytes: 1000, arrivals: 'poisson' })).toEqual([
      'interval_s: must be at least 0.001 s between arrivals',
    ]);
    expect(faultsOf({ ...FRAMES, least_rate_mbps: 5 })).toEqual(['least_rate_mbps: is more than rate_mbps']);
    expect(faultsOf({ kind: 'replay', times_ms: [0, 2, 1], bytes: [1, 1, 1] })).toEqual([
      'times_ms.2: is before the one before it',
    ]);
    expect(faultsOf({ kind: 'replay', times_ms: [0], bytes: [1, 1] })).toEqual([
      'bytes: there are 1 times, but 2 sizes',
    ]);
  });

  it('have one rate: a number, or a share of the trace’s mean', () => {
    const both = { rate_mbps: 8, rate_of_mean: 0.8 };
    expect(faultsOf({ kind: 'rate' })).toEqual(['rate_mbps: is missing: this or rate_of_mean']);
    expect(faultsOf({ kind: 'rate', ...both })).toEqual(['rate_of_mean: is given beside rate_mbps: one of them']);
    expect(faultsOf({ kind: 'on_off', on_s: 1, off_s: 1, ...both })).toEqual([
      'rate_of_mean: is given beside rate_mbps: one of them',
    ]);
    expect(faultsOf({ kind: 'rate', rate_of_mean: 0.8, catch_up: false })).toEqual([]);
    expect(faultsOf({ kind: 'on_off', on_s: 1, off_s: 1, rate_of_mean: 2 })).toEqual([]);
    expect(faultsOf({ kind: 'rate', rate_of_mean: 0 })).toHaveLength(1);
  });

  it('are refused where a stack cannot have them', () => {
    const frames = SourceSpec.parse(FRAMES);
    const adapting = SourceSpec.parse({ ...FRAMES, least_rate_mbps: 1 });
    const spells = SourceSpec.parse({ kind: 'on_off', on_s: 1, off_s: 1 });
    for (const source of [frames, adapting, spells]) expect(sourceFault(source, { kind: 'sender' })).toBeNull();
    expect(sourceFault(frames, { kind: 'kernel' })).toBeNull();
    expect(sourceFault(adapting, { kind: 'kernel' })).toContain('leave least_rate_mbps out');
    expect(sourceFault(spells, { kind: 'quic' })).toBeNull();
    const ticker = SourceSpec.parse({ kind: 'rate', rate_mbps: 8, catch_up: false });
    for (const kind of ['sender', 'kernel'] as const) expect(sourceFault(ticker, { kind })).toBeNull();
    expect(sourceFault(ticker, { kind: 'quic' })).toContain('leave catch_up out');
    expect(sourceFault(frames, { kind: 'quic' })).toContain('only endless data, a steady rate and on–off');
  });
});
