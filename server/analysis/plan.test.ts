import { describe, expect, test } from 'vitest';
import { planSteps, runSeconds, sampleBytes } from '#analysis/plan';
import { expandSpec } from '#analysis/planner';
import { LISTING, findTrace } from '#analysis/testing';
import { Plan } from '#protocol/api';
import { RunManifest } from '#protocol/manifest';
import { ExperimentSpec } from '#protocol/spec';
import type { ExperimentSpecInput } from '#protocol/spec';

const SPEED = { packets_per_s: 1e6, overhead_s: 0.1, virtual_workers: 2, realtime_workers: 1 };

function plan(spec: Partial<ExperimentSpecInput>, stored: (manifest: RunManifest) => boolean = () => false) {
  const full = ExperimentSpec.parse({ traces: [{ trace: 'lte.down' }], ccas: [{ id: 'rival' }], ...spec });
  const expansion = expandSpec(full, { engine: LISTING, findTrace });
  if (!expansion.ok) throw new Error(JSON.stringify(expansion.problems));
  const know = (text: string) => ({ id: text, stored: stored(RunManifest.parse(JSON.parse(text))) });
  const steps = planSteps(expansion, LISTING, findTrace, SPEED, know);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const result = step.value;
  expect(Plan.parse(result)).toEqual(result);
  return { ...result, manifests: [...expansion.runs].map((run) => run.manifest) };
}

describe('plan', () => {
  test('counts runs, cells and what is stored already', () => {
    const first = plan({ buffers: [{ bdp: 1 }, { bdp: 5 }], repetitions: 3 }, (manifest) => manifest.repetition === 0);
    expect([first.runs, first.cells, first.cached]).toEqual([6, 2, 2]);
  });

  test('equal manifests are one run', () => {
    expect(plan({ ccas: [{ id: 'base' }], full_scores: true }).runs).toBe(2);
  });

  test('estimates from packets: 60 s of 600 Mbps are 3 million packets', () => {
    const { manifests, estimate_s } = plan({ traces: [{ trace: '5g.down' }], repetitions: 4 });
    expect(runSeconds(manifests[0]!, findTrace, SPEED)).toBeCloseTo(3.1, 9);
    // 4 runs on 2 workers: 6.2 s, shown as a range around it.
    expect(estimate_s.low).toBeLessThan(6.2);
    expect(estimate_s.high).toBeGreaterThan(6.2);
  });

  test('real-time runs take their time, one after the other', () => {
    const { estimate_s } = plan({ engine: 'realtime', duration_s: 10, repetitions: 3 });
    expect(estimate_s.low).toBeGreaterThanOrEqual(30);
    expect(estimate_s.high).toBeLessThan(40);
  });

  test('nothing to do takes no time and no room', () => {
    const { estimate_s, estimate_bytes, cached, runs } = plan({ repetitions: 2 }, () => true);
    expect([estimate_s, estimate_bytes, cached]).toEqual([{ low: 0, high: 0 }, 0, runs]);
  });

  test('sample bytes are those of the streams', () => {
    // 6000 rows of: link 8 + 4 x 10, sender 8 + 4 x (12 + 1 internal), receiver 8 + 4 x 3.
    expect(sampleBytes(plan({ ccas: [{ id: 'base' }] }).manifests[0]!, LISTING)).toBe(6000 * (48 + 60 + 20));
  });

  test('each limit is told in every unit, per trace and base RTT', () => {
    const { limits } = plan({ buffers: [{ bdp: 2 }, { infinite: true }], base_rtt_ms: [20, 40] });
    expect(limits.map((l) => [l.base_rtt_ms, l.limit_packets, l.limit_ms, l.limit_bdp])).toEqual([
      [20, 40, 40, 2],
      [20, null, null, null],
      [40, 80, 80, 2],
      [40, null, null, null],
    ]);
  });
});

describe('warnings', () => {
  test('a BDP of less than two packets', () => {
    expect(plan({ traces: [{ rate_mbps: 0.6 }] }).warnings).toEqual([
      '1 BDP on 0.6 Mbps at 20 ms base RTT is 1.0 packets, less than 2: the limit is raised to 2 packets (3000 B)',
    ]);
  });

  test('a limit of less than two packets that was asked for', () => {
    expect(plan({ buffers: [{ packets: 1 }] }).warnings).toEqual([
      '1 pkts holds less than 2 packets: every burst loses',
    ]);
  });

  test('a trace shorter than the run', () => {
    expect(plan({ traces: [{ trace: '5g.down' }] }).warnings).toEqual(['5g.down lasts 40 s and repeats to fill 60 s']);
  });

  test('repetitions that cannot differ, and not of references', () => {
    expect(plan({ vary: [], repetitions: 5 }).warnings).toEqual([
      'nothing varies between repetitions, so each would give the same result: one is run',
    ]);
    expect(plan({ ccas: [{ id: 'perfect' }], repetitions: 5 }).warnings).toEqual([]);
  });

  test('runs too short for long-term fairness, and references in real time', () => {
    expect(plan({ full_scores: true, duration_s: 1.5 }).warnings).toHaveLength(1);
    expect(plan({ engine: 'realtime', ccas: [{ id: 'perfect' }] }).warnings).toEqual([
      'PERFECT does not run in real time: as a reference it is computed in virtual time',
    ]);
  });
});
