// What of a spec a hand can move: numbers on a rail, read from it and written into it. Needs a spec of one cell.
import { changedParams, hasEffect, withParam } from '#analysis/params';
import { formatChosen, UNIT_SPACE } from '#analysis/format';
import { bufferLabel } from '#analysis/limits';
import type { EngineListing, ParamDescriptor } from '#protocol/cca';
import type { BufferSpec, ExperimentSpec, ParamValues } from '#protocol/spec';
import { scaleFor, type Scale } from './scale';

export interface Knob {
  /** Unique among a spec's, and the same for specs alike. */
  readonly id: string;
  readonly label: string;
  readonly help?: string;
  readonly scale: Scale;
  readonly value: number;
  readonly text: (value: number) => string;
  readonly written: (value: number) => ExperimentSpec;
}

const RATE: Scale = { min: 0.1, max: 1000, kind: 'log' };
const RTT: Scale = { min: 1, max: 1000, kind: 'log' };
const LOSS: Scale = { min: 1e-5, max: 0.1, kind: 'zero-log' };
const DURATION: Scale = { min: 5, max: 120, kind: 'linear', step: 1 };
const LIMIT = {
  bdp: { min: 0.1, max: 100, kind: 'log' },
  packets: { min: 1, max: 10_000, kind: 'log', whole: true },
  bytes: { min: 1500, max: 15_000_000, kind: 'log', whole: true },
  ms: { min: 1, max: 10_000, kind: 'log' },
} as const satisfies Readonly<Record<string, Scale>>;

/** Chosen values as they were chosen. */
const inUnit =
  (unit: string) =>
  (value: number): string =>
    unit === '' ? formatChosen(value) : `${formatChosen(value)}${UNIT_SPACE}${unit}`;
const percent = (share: number): string => inUnit('%')(Number((share * 100).toPrecision(9)));

/** Places within a trace that a slider stops at. */
const TRACE_PLACES = 200;

/** Where in its trace a run begins. `period_ms`: of the trace. */
const placeKnob = (spec: ExperimentSpec, period_ms: number): Knob => {
  const step = Math.max(0.1, Number((period_ms / 1e3 / TRACE_PLACES).toPrecision(1)));
  return {
    ...{ id: 'place', label: 'Begins in the trace at', value: spec.trace_from_s ?? 0, text: inUnit('s') },
    scale: { min: 0, max: Math.floor(period_ms / 1e3 / step) * step, kind: 'linear', step },
    written: (trace_from_s) => ({ ...spec, trace_from_s: trace_from_s === 0 ? undefined : trace_from_s }),
  };
};

/** Of the link, in the order in which people think of them. `period_ms`: of the trace over which it runs, if it does. */
export function linkKnobs(spec: ExperimentSpec, listing: EngineListing, period_ms: number | null): Knob[] {
  const [trace, base_rtt_ms = 0, loss = 0, buffer] = [
    spec.traces[0],
    spec.base_rtt_ms[0],
    spec.loss[0],
    spec.buffers[0],
  ];
  const knobs: Knob[] = [];
  if (trace !== undefined && 'rate_mbps' in trace)
    knobs.push({
      ...{ id: 'rate', label: 'Rate', scale: RATE, value: trace.rate_mbps, text: inUnit('Mbps') },
      written: (rate_mbps) => ({ ...spec, traces: [{ rate_mbps }] }),
    });
  if (period_ms !== null) knobs.push(placeKnob(spec, period_ms));
  knobs.push({
    ...{ id: 'rtt', label: 'Base RTT', scale: RTT, value: base_rtt_ms, text: inUnit('ms') },
    written: (ms) => ({ ...spec, base_rtt_ms: [ms] }),
  });
  knobs.push({
    ...{ id: 'loss', label: 'Random loss', scale: LOSS, value: loss, text: percent },
    written: (share) => ({ ...spec, loss: [share] }),
  });
  const limit = buffer === undefined ? null : limitKnob(spec, buffer);
  if (limit !== null && isLimited(spec, listing)) knobs.push(limit);
  return knobs;
}

export const isLimited = ({ queues: [queue] }: ExperimentSpec, { queues }: EngineListing): boolean =>
  queues.find(({ id }) => id === queue?.id)?.limited ?? true;

function limitKnob(spec: ExperimentSpec, buffer: BufferSpec): Knob | null {
  if ('infinite' in buffer) return null;
  const [unit, value] = Object.entries(buffer).find(([key]) => key in LIMIT) as [keyof typeof LIMIT, number];
  const sized = (size: number): BufferSpec => ({ ...buffer, [unit]: size });
  return {
    ...{ id: `limit/${unit}`, label: 'Queue limit', scale: LIMIT[unit], value },
    text: (size) => bufferLabel(sized(size)),
    written: (size) => ({ ...spec, buffers: [sized(size)] }),
  };
}

const EXTRA_RTT: Scale = { min: 1, max: 1000, kind: 'zero-log' };

/** How much longer the ways of the other flows are. */
export const flowKnobs = (spec: ExperimentSpec): Knob[] =>
  spec.flows.slice(1).map(({ extra_rtt_ms }, i) => ({
    ...{ id: `extra/${i + 1}`, label: `Extra RTT of flow ${i + 2}`, scale: EXTRA_RTT },
    ...{ value: extra_rtt_ms, text: inUnit('ms') },
    written: (ms) => ({
      ...spec,
      flows: spec.flows.map((flow, at) => (at === i + 1 ? { ...flow, extra_rtt_ms: ms } : flow)),
    }),
  }));

export const durationKnob = (spec: ExperimentSpec): Knob => ({
  ...{ id: 'duration', label: 'Duration', scale: DURATION, value: spec.duration_s, text: inUnit('s') },
  written: (duration_s) => ({ ...spec, duration_s }),
});

/** Parameters that are numbers and have an effect. */
export function paramKnobs(
  prefix: string,
  known: readonly ParamDescriptor[],
  values: ParamValues,
  written: (values: ParamValues) => ExperimentSpec,
): Knob[] {
  return known
    .filter((param) => isNumber(param) && hasEffect(param, values, known))
    .map((param) => ({
      id: `${prefix}/${param.name}`,
      label: param.label,
      help: param.help,
      scale: scaleOf(param),
      value: Number(values[param.name] ?? param.default),
      text: inUnit(param.unit),
      written: (value) => written(changedParams(withParam(values, param, value), known)),
    }));
}

export const isNumber = ({ type }: ParamDescriptor): boolean => type === 'number' || type === 'integer';

/** What has no end goes to ten times what is usual. */
function scaleOf({ min, max, default: usual, type }: ParamDescriptor): Scale {
  const least = min ?? Math.min(0, 10 * Number(usual));
  const greatest = max ?? Math.max(10 * Number(usual), least + 10);
  return scaleFor(least, greatest, type === 'integer');
}

/** Of the chosen algorithm. */
export function ccaKnobs(spec: ExperimentSpec, { ccas }: EngineListing): Knob[] {
  const [chosen] = spec.ccas;
  const cca = ccas.find(({ id }) => id === chosen?.id);
  if (chosen === undefined || cca === undefined) return [];
  return paramKnobs(`cca/${cca.id}`, cca.params, chosen.params, (params) => ({
    ...spec,
    ccas: [{ ...chosen, params }],
  }));
}

/** Of the discipline. */
export function queueKnobs(spec: ExperimentSpec, { queues }: EngineListing): Knob[] {
  const [chosen] = spec.queues;
  const queue = queues.find(({ id }) => id === chosen?.id);
  if (chosen === undefined || queue === undefined) return [];
  return paramKnobs(`queue/${queue.id}`, queue.params, chosen.params, (params) => ({
    ...spec,
    queues: [{ id: queue.id, params }],
  }));
}

/** In the order in which they stand. `period_ms`: of the trace over which it runs, if it does. */
export const allKnobs = (spec: ExperimentSpec, listing: EngineListing, period_ms: number | null): Knob[] => [
  ...linkKnobs(spec, listing, period_ms),
  ...queueKnobs(spec, listing),
  ...ccaKnobs(spec, listing),
  ...flowKnobs(spec),
  durationKnob(spec),
];
