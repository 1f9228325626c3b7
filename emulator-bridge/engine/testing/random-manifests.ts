// Manifests at random, from a seed: every algorithm over links, disciplines, path elements, transports and applications of all kinds.
import { createHash } from 'node:crypto';
import type { CcaDescriptor, ElementDescriptor, EngineListing, ParamDescriptor } from '#protocol/cca';
import type { CapacitySpec, FlowManifest, LinkSpec, PathElementManifest, RunManifest } from '#protocol/manifest';

type ParamValues = FlowManifest['cca']['params'];

/** Mulberry32: small, and the same everywhere. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1, which never comes. */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  between(least: number, most: number): number {
    return least + (most - least) * this.share();
  }
  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }
  chance(probability: number): boolean {
    return this.share() < probability;
  }
  one<T>(of: readonly T[]): T {
    const found = of[this.whole(0, of.length - 1)];
    if (found === undefined) throw new Error('nothing to choose from');
    return found;
  }
}

/** A trace as it is stored, and its hash. */
export function randomTrace(dice: Dice): { readonly sha256: string; readonly text: Uint8Array } {
  const period = dice.whole(300, 4000);
  const busy = dice.between(0.2, 0.9);
  const lines = ['# ms count'];
  for (let ms = 0; ms < period; ms++) if (dice.chance(busy)) lines.push(`${ms} ${dice.whole(1, 4)}`);
  lines.push(`${period} 1`);
  const text = new TextEncoder().encode(`${lines.join('\n')}\n`);
  return { sha256: createHash('sha256').update(text).digest('hex'), text };
}

function paramValue(
  dice: Dice,
  { type, min, max, choices, default: usual }: ParamDescriptor,
): number | boolean | string {
  if (type === 'boolean') return dice.chance(0.5);
  if (type === 'choice') return dice.one(choices);
  const value = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, Number(usual) * dice.between(0.6, 1.6)));
  return type === 'integer' ? Math.round(value) : value;
}

/** Some of them, each within reach of what is usual. Networks are not made up, nor what needs one. */
function params(dice: Dice, all: readonly ParamDescriptor[], likely: number): ParamValues {
  const needed = new Set(all.flatMap((p) => (p.type === 'weights' && p.needed_with ? [p.needed_with.param] : [])));
  const free = all.filter(({ name, type }) => type !== 'weights' && !needed.has(name) && dice.chance(likely));
  return Object.fromEntries(free.map((param) => [param.name, paramValue(dice, param)]));
}

const unlimited = { id: 'droptail', limit_bytes: null, limit_packets: null, params: {} };

function queue(dice: Dice, { queues }: EngineListing): LinkSpec['queue'] {
  const discipline = dice.one(queues);
  const limit_bytes = discipline.limited && dice.chance(0.8) ? dice.whole(6_000, 300_000) : null;
  const limit_packets = discipline.limited && (limit_bytes === null || dice.chance(0.2)) ? dice.whole(4, 300) : null;
  return { id: discipline.id, limit_bytes, limit_packets, params: params(dice, discipline.params, 0.2) };
}

function element(dice: Dice, about: ElementDescriptor, listing: EngineListing): PathElementManifest {
  const values = params(dice, about.params, 0.4);
  if (about.recorded_with !== undefined && values[about.recorded_with.param] === about.recorded_with.value)
    return {
      element: about.id,
      params: values,
      recorded: { times_ms: [0, 40, 500, 501], delays_ms: [1, 12.5, 3, 0], offset_ms: dice.whole(0, 300) },
    };
  if (!about.queues) return { element: about.id, params: values };
  const rate_mbps = dice.between(2, 40);
  return { element: about.id, params: values, capacity: { kind: 'constant', rate_mbps }, queue: queue(dice, listing) };
}

function path(dice: Dice, listing: EngineListing): PathElementManifest[] {
  const all: PathElementManifest[] = ['loss', 'bottleneck', 'delay'].map((id) => ({ element: id }));
  for (const about of listing.elements ?? [])
    if (dice.chance(0.2)) all.splice(dice.whole(0, all.length), 0, element(dice, about, listing));
  return all;
}

function capacity(dice: Dice, traces: readonly string[]): CapacitySpec {
  if (dice.chance(0.4)) return { kind: 'constant', rate_mbps: dice.between(0.8, 30) };
  return { kind: 'trace', sha256: dice.one(traces), name: 'random', offset_ms: dice.whole(0, 5000) };
}

function source(dice: Dice): FlowManifest['source'] {
  const rate_mbps = dice.between(0.2, 8);
  const bytes = dice.whole(2_000, 200_000);
  return dice.one<FlowManifest['source']>([
    { kind: 'bulk' },
    { kind: 'bulk' },
    { kind: 'bulk' },
    { kind: 'rate', rate_mbps },
    { kind: 'on_off', on_s: 0.3, off_s: 0.2, durations: 'exponential' },
    { kind: 'transfers', bytes, sizes: 'pareto', shape: 1.3, arrivals: 'poisson', interval_s: 0.1 },
    { kind: 'transfers', bytes, sizes: 'lognormal', shape: 0.9, arrivals: 'after', interval_s: 0.05 },
    { kind: 'frames', fps: 30, rate_mbps, key_every: 30, key_ratio: 4, deadline_ms: 100, least_rate_mbps: 0.1 },
  ]);
}

function flow(dice: Dice, cca: CcaDescriptor, duration: number): FlowManifest {
  const sender = cca.kind === 'sender';
  const transport = sender ? dice.one(['tcp', 'quic', 'quic-grow-underutilised'] as const) : 'tcp';
  const start_s = dice.chance(0.6) ? 0 : dice.between(0, duration / 3);
  const linux = sender && transport === 'tcp' && dice.chance(0.3);
  return {
    cca: { id: cca.id, params: params(dice, cca.params, 0.15) },
    start_s,
    stop_s: dice.chance(0.2) ? dice.between(duration / 2, duration) : null,
    extra_rtt_ms: dice.chance(0.4) ? dice.between(0, 60) : 0,
    transport,
    ack_every: linux ? 2 : dice.whole(1, 4),
    ...(linux && { ack: 'linux' as const }),
    source: sender ? source(dice) : { kind: 'bulk' },
    ...(sender && { ecn: dice.chance(0.4), handshake: dice.one(['none', 'full', 'early_data'] as const) }),
  };
}

/** Runs of `cca`, alone and beside others. */
export function randomManifest(
  dice: Dice,
  cca: CcaDescriptor,
  listing: EngineListing,
  traces: readonly string[],
): RunManifest {
  const duration_s = Math.round(dice.between(1, 4) * 10) / 10;
  const ideal = cca.kind === 'ideal';
  const senders = listing.ccas.filter(({ kind, engines }) => kind === 'sender' && engines.includes('virtual'));
  const others = Array.from({ length: dice.chance(0.5) ? 0 : dice.whole(1, 2) }, () =>
    ideal ? cca : dice.one(senders),
  );
  const delay_ms = dice.between(1, 60);
  const back = dice.chance(0.7) ? ({ kind: 'unlimited' } as const) : capacity(dice, traces);
  const listed = !ideal && dice.chance(0.5);
  return {
    schema: 1,
    engine: 'virtual',
    path: 'memory',
    engine_version: listing.engine_version,
    duration_s,
    sample_period_ms: dice.one([1, 7, 10, 100]),
    seed: dice.whole(1, 1e9),
    repetition: 0,
    forward: {
      loss: ideal || dice.chance(0.5) ? 0 : dice.between(0, 0.02),
      queue: queue(dice, listing),
      capacity: capacity(dice, traces),
      delay_ms,
      ...(listed && { path: path(dice, listing) }),
    },
    reverse: { loss: 0, queue: back.kind === 'unlimited' ? unlimited : queue(dice, listing), capacity: back, delay_ms },
    flows: [cca, ...others].map((one) => flow(dice, one, duration_s)),
  };
}
