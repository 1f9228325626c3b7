// The plane of a policy's figure: which inputs it is of, how far its axes reach, and what the network does at each of its places.
import { z } from 'zod';
import { policyMap, type Policy } from '#analysis/policy';
import { senderStream } from '#protocol/columns';
import type { Range } from '../charts/time-view';
import type { Theme } from '../theme/theme';
import { agentsOf, inputsOf, type RunAgent } from './agents';
import type { RunPlotData, RunSamples, StreamData } from './data';
import { flowsOf, type Flow } from './flows';
import { phasePoints, stepOf } from './phase-points';
import type { PhaseSeries } from './PhasePicture';
import type { PolicyPlane } from './PolicyPicture';

export const options = z.object({
  /** Whose; empty: the first. */
  agent: z.string().max(64).default(''),
  /** Inputs by name; empty: the first and the last of those that are mostly not 0. */
  x: z.string().max(64).default(''),
  y: z.string().max(64).default(''),
});
export type Options = z.output<typeof options>;

const [COLUMNS, ROWS] = [44, 26];
/** Axes reach so many deviations of what the network was trained on from its mean, and over what the run had. */
const DEVIATIONS = 2;
const SHOWN_SHARE = 0.995;
const FIRST_ROWS = 400;

export interface Asked {
  readonly agent: RunAgent;
  readonly inputs: readonly string[];
  readonly x: string;
  readonly y: string;
}

export function chosenAgent(
  data: Pick<RunPlotData, 'manifest' | 'ccas'>,
  { agent: wanted }: Options,
): RunAgent | undefined {
  const agents = agentsOf(data);
  return agents.find(({ key }) => key === wanted) ?? agents[0];
}

/**
 * What is asked for, of what there is; null: no flow has an agent whose inputs are told.
 * @param policy a network may see less than its loop offers; null: it is not known yet
 */
export function askedOf(data: RunPlotData, chosen: Options, policy: Policy | null): Asked | null {
  const agent = chosenAgent(data, chosen);
  if (agent === undefined) return null;
  const inputs = inputsOf(agent.cca).filter((name) => policy === null || policy.inputs.includes(name));
  const told = usual(data, agent, inputs);
  const [first, last] = [told[0], told.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const x = inputs.includes(chosen.x) ? chosen.x : first;
  const y = inputs.includes(chosen.y) && chosen.y !== x ? chosen.y : x === last ? first : last;
  return { agent, inputs, x, y };
}

/** Those that are mostly something, if there are two: an input that is nearly always 0 shows little. */
function usual({ all, samples }: RunPlotData, { flows }: RunAgent, inputs: readonly string[]): readonly string[] {
  const sender = (all ?? samples).streams.get(senderStream(flows[0] ?? 0));
  const often = inputs.filter((name) => {
    // The first ones alone: they stay what they are while a run goes on.
    const values = sender?.column(name)?.subarray(0, Math.min(sender.rows, FIRST_ROWS)).filter(Number.isFinite);
    return values === undefined || values.filter((value) => value !== 0).length >= values.length / 2;
  });
  return often.length < 2 ? inputs : often;
}

export const flowsOfAgent = (data: RunPlotData, samples: RunSamples, { agent }: Asked, theme: Theme): Flow[] =>
  flowsOf(data, samples.streams, theme).filter(({ index }) => agent.flows.includes(index));

export const pointsOf = ({ sender }: Flow, x: string, y: string, range: Range) =>
  sender === undefined ? [] : phasePoints(columnsOf(sender), { x, y, xUnit: 1, yUnit: 1 }, range, stepOf(range));

/** Streams have methods, which a spread would lose. */
const columnsOf = (stream: StreamData): Pick<StreamData, 'time' | 'rows' | 'column'> => ({
  time: stream.time,
  rows: stream.rows,
  column: (name) => stream.column(name),
});

export const seriesOf = (flows: readonly Flow[], { x, y }: Asked, range: Range): PhaseSeries[] =>
  flows.map((flow) => ({ flow, points: pointsOf(flow, x, y, range) }));

/** What each input is in the newest look of a flow; null: it has not looked yet. */
function lookOf({ sender }: Flow, inputs: readonly string[]): readonly number[] | null {
  if (sender === undefined) return null;
  const values = inputs.map((name) => sender.column(name)?.[sender.rows - 1] ?? Number.NaN);
  return values.every((value) => Number.isFinite(value)) ? values : null;
}

/** How far an axis reaches: over what it was trained on, and over what the run has of it. */
function reachOf(policy: Policy, input: number, name: string, flows: readonly Flow[]): [number, number] {
  const mean = policy.subtract[input] ?? 0;
  const wide = DEVIATIONS * (policy.divide[input] ?? 1);
  const seen = Float64Array.from(
    flows.flatMap(({ sender }) => [...(sender?.column(name)?.subarray(0, sender.rows) ?? [])].filter(Number.isFinite)),
  ).sort();
  const [least = 0, most = 0] = [
    seen[Math.floor((seen.length - 1) * (1 - SHOWN_SHARE))],
    seen[Math.ceil((seen.length - 1) * SHOWN_SHARE)],
  ];
  // Shares and times are never below 0.
  const low = Math.min(mean - wide, least);
  return [least >= 0 ? Math.max(0, low) : low, Math.max(mean + wide, most, 1e-6)];
}

const middles = ([from, to]: readonly [number, number], count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + ((i + 0.5) / count) * (to - from));

export function planeOf(
  policy: Policy,
  asked: Asked,
  all: readonly Flow[],
  newest: readonly Flow[],
): PolicyPlane | null {
  const [xi, yi] = [policy.inputs.indexOf(asked.x), policy.inputs.indexOf(asked.y)];
  const [first] = newest;
  if (xi < 0 || yi < 0 || first === undefined) return null;
  const others = lookOf(first, policy.inputs) ?? [...policy.subtract];
  const [x, y] = [reachOf(policy, xi, asked.x, all), reachOf(policy, yi, asked.y, all)];
  const actions = policyMap(
    policy,
    others,
    { input: xi, values: middles(x, COLUMNS) },
    { input: yi, values: middles(y, ROWS) },
  );
  return { x, y, columns: COLUMNS, rows: ROWS, actions };
}
