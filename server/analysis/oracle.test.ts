// The oracle that belongs to a run: over its link, alone, as the planner makes it.
import { describe, expect, it } from 'vitest';
import { oracleManifest } from '#analysis/oracle';
import { expandSpec } from '#analysis/planner';
import { findTrace, LISTING } from '#analysis/testing';
import { manifestOf } from '#analysis/testing-flows';
import type { RunManifest } from '#protocol/manifest';
import { ExperimentSpec } from '#protocol/spec';

describe('the manifest of the oracle', () => {
  it('is that of the same cell and repetition of an experiment, whatever queue, repetition and seed', () => {
    const expansion = expandSpec(
      ExperimentSpec.parse({
        traces: [{ trace: 'lte.down' }],
        ccas: [{ id: 'rival' }, { id: 'seer' }],
        buffers: [{ bdp: 1 }, { bdp: 5 }],
        loss: [0, 0.01],
        repetitions: 3,
        duration_s: 20,
      }),
      { engine: LISTING, findTrace },
    );
    if (!expansion.ok) throw new Error(JSON.stringify(expansion));
    const manifests = [...expansion.runs].map(({ manifest }) => manifest);
    const of = (id: string): RunManifest[] => manifests.filter(({ flows }) => flows[0]?.cca.id === id);
    expect(of('rival')).toHaveLength(12);
    expect(of('rival').map((manifest) => oracleManifest(manifest, LISTING))).toEqual(of('seer'));
  });

  it('has one flow, from the first start to the last stop', () => {
    const flows = (...made: Parameters<typeof manifestOf>[0]): unknown =>
      oracleManifest(manifestOf(made, 20), LISTING)?.flows.map(({ cca, start_s, stop_s }) => [cca.id, start_s, stop_s]);
    expect(flows({ start_s: 5, stop_s: 9 }, { start_s: 2, stop_s: 7 })).toEqual([['seer', 2, 9]]);
    expect(flows({ start_s: 5, stop_s: 9 }, { start_s: 6 })).toEqual([['seer', 5, null]]);
  });

  it('runs in virtual time, whatever the run was', () => {
    const run: RunManifest = { ...manifestOf([{}], 20), engine: 'realtime', path: 'tun', measurement: 'x', qlog: true };
    const own = oracleManifest(run, LISTING);
    expect(own).toMatchObject({ engine: 'virtual', path: 'memory', forward: run.forward, seed: run.seed });
    expect(own).not.toHaveProperty('measurement');
    expect(own).not.toHaveProperty('qlog');
  });

  it('is none without an oracle, or where nobody passes the link', () => {
    const run = manifestOf([{}], 20);
    expect(oracleManifest(run, { ccas: LISTING.ccas.filter(({ kind }) => kind !== 'oracle') })).toBeNull();
    const path = [{ element: 'bottleneck' }, { element: 'delay' }];
    const beside = { ...run, forward: { ...run.forward, path }, flows: run.flows.map((f) => ({ ...f, joins: 1 })) };
    expect(oracleManifest(beside, LISTING)).toBeNull();
  });
});
