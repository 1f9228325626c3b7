// A made-up run whose flows are decided by a network: columns that are told from the time alone.
import { policyOf } from '#analysis/policy';
import type { CcaDescriptor } from '#protocol/cca';
import { senderStream } from '#protocol/columns';
import type { ParamValues } from '#protocol/spec';
import { TimeView } from '../charts/time-view';
import { Visibility } from '../charts/visibility';
import type { RunPlotData, StreamData } from '../plots/data';
import { CCAS, LISTING } from './ccas';
import { RunFixture } from './run-fixture';

const INPUTS = ['share', 'delay', 'loss'];
const param = { unit: '', min: null, max: null, choices: [], help: '', default: '' };
const [LIKE] = CCAS;

const learning = (like: CcaDescriptor): CcaDescriptor => ({
  ...like,
  id: 'learning',
  label: 'Learning',
  params: [
    {
      ...{ ...param, name: 'policy', label: 'Agent', type: 'choice' },
      ...{ choices: ['neutral', 'network', 'trained'], default: 'trained' },
    },
    {
      ...{ ...param, name: 'weights', label: 'Weights', type: 'weights', choices: INPUTS },
      ...{ algorithm: 'learning', needed_with: { param: 'policy', value: 'network' } },
    },
  ],
  internals: ['action', ...INPUTS].map((name) => ({ name, label: `input: ${name} of it`, unit: '', states: [] })),
});

/** Grows where the share is small, and shrinks with the delay; it does not see losses. */
export const POLICY = policyOf({
  algorithm: 'learning',
  inputs: ['share', 'delay'],
  normalise: { subtract: [0.5, 0.5], divide: [0.25, 0.25] },
  layers: [{ activation: 'linear', weights: [[-0.05, -0.1]], bias: [0] }],
});

/** A flow of Learning for each of `all`, with these parameters. */
export function agentRun(all: readonly ParamValues[], seconds = 4, period_ms = 10): RunPlotData {
  const flows = all.map(() => ({ cca: LIKE?.id ?? '' }));
  const samples = new RunFixture({ flows, duration_s: seconds, period_ms }).finish();
  const values: Readonly<Record<string, (time: number) => number>> = {
    action: (time) => Math.sin(time),
    share: (time) => time / seconds,
    delay: (time) => 1 - time / seconds,
    loss: () => 0,
  };
  const streams = new Map<number, StreamData>(samples.streams);
  all.forEach((_, flow) => {
    const own = samples.streams.get(senderStream(flow));
    if (own === undefined) return;
    streams.set(senderStream(flow), {
      ...{ info: own.info, rows: own.rows, time: own.time },
      column: (name) => {
        const value = values[name];
        return value === undefined ? own.column(name) : Float32Array.from(own.time, value);
      },
    });
  });
  const { manifest } = samples;
  return {
    id: 'run',
    manifest: {
      ...manifest,
      flows: manifest.flows.map((flow, i) => ({ ...flow, cca: { id: 'learning', params: all[i] ?? {} } })),
    },
    samples: { ...{ streams, events: [], timeS: seconds, complete: true }, subscribe: samples.subscribe },
    ccas: new Map([...LISTING, ...(LIKE === undefined ? [] : [['learning', learning(LIKE)] as const])]),
    view: new TimeView({ extent: [0, seconds] }),
    visibility: new Visibility(),
    loadPolicy: () => Promise.resolve(POLICY),
  };
}
