// What is changed about the checks' runs, to show the cause of a deviation or that a check can fail: `allegro.loss_tolerance=0.01`, `run.seed=2`.
import type { LinkRunPlan } from './link-run.ts';

type Value = number | string | boolean;

export interface Switches {
  /** Of every flow of this algorithm. */
  readonly params: ReadonlyMap<string, Readonly<Record<string, Value>>>;
  /** Of every run over a modelled link. */
  readonly runs: readonly ((plan: LinkRunPlan) => LinkRunPlan)[];
}

export const NO_SWITCHES: Switches = { params: new Map(), runs: [] };
export const isAltered = ({ params, runs }: Switches): boolean => params.size > 0 || runs.length > 0;

type Change = (plan: LinkRunPlan, value: number) => LinkRunPlan;

const RUN: Readonly<Record<string, Change>> = {
  // of several the first
  seed: (plan, seed) => ({ ...plan, seed: (plan.seed ?? 1) - 1 + seed }),
  seconds: (plan, seconds) => ({ ...plan, seconds }),
  rtt_ms: (plan, rttMs) => ({ ...plan, rttMs }),
  loss: (plan, loss) => ({ ...plan, loss }),
  ack_every: (plan, ackEvery) => ({ ...plan, ackEvery }),
  // what a trace has stays as it is
  rate_mbps: (plan, rate) =>
    plan.capacity.kind === 'constant' ? { ...plan, capacity: { kind: 'constant', rate_mbps: rate } } : plan,
  queue_factor: (plan, factor) => ({
    ...plan,
    queueBytes: plan.queueBytes === null ? null : plan.queueBytes * factor,
  }),
  second_start_s: (plan, startS) => ({
    ...plan,
    flows: plan.flows.map((flow, i) => (i === 1 ? { ...flow, startS } : flow)),
  }),
};

function valueOf(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text : number;
}

/** Throws with what is wrong about one of them. */
export function parseSwitches(texts: readonly string[], ccas: readonly string[]): Switches {
  const params = new Map<string, Readonly<Record<string, Value>>>();
  const runs: ((plan: LinkRunPlan) => LinkRunPlan)[] = [];
  for (const text of texts) {
    const [, owner = '', name = '', given = ''] = /^([a-z0-9-]+)\.(\w+)=(.+)$/.exec(text) ?? [];
    if (owner === '') throw new Error(`a switch is written as cca.parameter=value or run.what=value, not “${text}”`);
    if (owner !== 'run') {
      if (!ccas.includes(owner))
        throw new Error(`switch “${text}”: there is no ${owner}; there are ${ccas.join(', ')}`);
      params.set(owner, { ...params.get(owner), [name]: valueOf(given) });
      continue;
    }
    const change = Object.hasOwn(RUN, name) ? RUN[name] : undefined;
    const value = Number(given);
    if (change === undefined)
      throw new Error(`switch “${text}”: of a run there are ${Object.keys(RUN).join(', ')}, not ${name}`);
    if (!Number.isFinite(value) || value < 0) throw new Error(`switch “${text}”: ${given} is no number from 0`);
    runs.push((plan) => change(plan, value));
  }
  return { params, runs };
}

/** The parameters that an algorithm has with the switches thrown. */
export const paramsWith = <T extends Readonly<Record<string, Value>>>(
  { params }: Switches,
  cca: string,
  own: T,
): T => ({
  ...own,
  ...params.get(cca),
});

export function switched(plan: LinkRunPlan, switches: Switches): LinkRunPlan {
  const flows = plan.flows.map((flow) => ({ ...flow, params: paramsWith(switches, flow.cca, flow.params ?? {}) }));
  return switches.runs.reduce<LinkRunPlan>((changed, change) => change(changed), { ...plan, flows });
}
