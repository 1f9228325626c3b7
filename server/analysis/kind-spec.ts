// From a kind of experiment to a spec: what it sets, with the traces and algorithms that a person has chosen. A spec like any other comes of
// it, and nothing else knows of kinds.
import { baselineOf, isCompetitor } from '#analysis/kinds';
import { sweepPlaces } from '#analysis/sweep-places';
import type { EngineListing, ParamDescriptor } from '#protocol/cca';
import type { ExperimentKind } from '#protocol/experiment-kind';
import type { AskedSpecInput, ChosenCca, FlowSpec } from '#protocol/spec';
import type { Sweep } from '#protocol/sweep';

type FlowInput = NonNullable<AskedSpecInput['flows']>[number];

export interface KindChoice {
  readonly traces: AskedSpecInput['traces'];
  readonly ccas: readonly ChosenCca[];
  /** Real stacks can be used here. */
  readonly stacks: boolean;
  /** What is absent is as the kind has it. */
  readonly turns?: number | undefined;
  readonly other?: string | undefined;
  readonly sweep?: Sweep | undefined;
  readonly duration_s?: number | undefined;
  readonly repetitions?: number | undefined;
}

/** In a flow of a kind: what the chosen algorithms meet. */
const OTHER = '$other';
const USUAL_DURATION_S = 60;

/** To the millisecond. */
const rounded = (seconds: number): number => Math.round(seconds * 1e3) / 1e3;

/**
 * Flows that join one after the other and leave in the same order, each for as long as any other: with 2n − 1 equal parts of the time flow i
 * has the n from the i-th on, and in the middle one all run.
 */
export function turnsOf(flows: number, duration_s: number): FlowInput[] {
  const part = duration_s / (2 * flows - 1);
  return Array.from({ length: flows }, (_, i) => ({
    handshake: 'full',
    start_s: rounded(i * part),
    ...(i === flows - 1 ? {} : { stop_s: rounded((i + flows) * part) }),
  }));
}

/** Half of the usual value, the value, and twice as much, as far as they can be. */
function valuesAround({ type, default: usual, min, max }: ParamDescriptor): number[] {
  if (typeof usual !== 'number') return [];
  const wanted = usual === 0 ? [0, (max ?? 1) / 2, max ?? 1] : [usual / 2, usual, usual * 2];
  const whole = type === 'integer' ? wanted.map(Math.round) : wanted;
  const within = whole.map((value) => Math.min(Math.max(value, min ?? -Infinity), max ?? Infinity));
  return [...new Set(within)].sort((a, b) => a - b);
}

/** The first number among the parameters of the chosen algorithms; undefined: they have none. */
function firstSweep(ccas: readonly ChosenCca[], listing: EngineListing): Sweep | undefined {
  const places = sweepPlaces({ ccas: [...ccas], queues: [], flows: [], elements: undefined }, listing);
  for (const { path, param } of places) {
    if (param === undefined || !path.startsWith('ccas.') || param.matters_with !== undefined) continue;
    const values = valuesAround(param);
    if (values.length > 1) return { path, values };
  }
  return undefined;
}

/** Through the chosen ones that can share a link. */
function meetingSweep(ccas: readonly ChosenCca[], listing: EngineListing): Sweep | undefined {
  const able = ccas.filter(({ id }) => listing.ccas.some((cca) => cca.id === id && isCompetitor(cca)));
  const values = [...new Set(able.map(({ id }) => id))];
  return values.length === 0 ? undefined : { path: 'flows.1.cca.id', values };
}

/** The chosen ones with the same algorithms of real stacks: their ids are those of ours behind the stack’s name. */
function withStacks(ccas: readonly ChosenCca[], kind: ExperimentKind, listing: EngineListing): ChosenCca[] {
  const more = listing.ccas.filter(
    (cca) =>
      kind.stacks.includes(cca.kind) &&
      cca.unavailable === undefined &&
      ccas.some(({ id }) => cca.id.replace(/^[a-z]+-/, '') === id) &&
      !ccas.some(({ id }) => id === cca.id),
  );
  return [...ccas, ...more.map(({ id }) => ({ id, params: {} }))];
}

/** Flows as the kind has them, with what the algorithms meet in place of `$other`. */
function flowsOf(kind: ExperimentKind, choice: KindChoice, duration_s: number, listing: EngineListing): FlowInput[] {
  if (kind.turns !== undefined) return turnsOf(choice.turns ?? kind.turns, duration_s);
  const first = listing.ccas.find(({ id }) => id === choice.ccas[0]?.id);
  const other = choice.other ?? baselineOf(listing, first ?? { kind: 'sender' })?.id ?? '$cca';
  const flows = (kind.sets['flows'] ?? [{}]) as FlowInput[];
  return flows.map((flow) => {
    const meets = (flow.cca as unknown) === OTHER;
    return meets ? { ...flow, cca: { id: other } } : flow;
  });
}

/** A spec as a person would write it. What cannot be in it is for whoever checks specs to say. */
export function kindSpec(kind: ExperimentKind, choice: KindChoice, listing: EngineListing): AskedSpecInput {
  const { duration_s: usual = USUAL_DURATION_S } = kind.sets as { readonly duration_s?: number };
  const duration_s = choice.duration_s ?? usual;
  const sweep =
    choice.sweep ??
    (kind.parameter
      ? firstSweep(choice.ccas, listing)
      : kind.meets_all
        ? meetingSweep(choice.ccas, listing)
        : undefined);
  return {
    ...kind.sets,
    duration_s,
    ...(choice.repetitions === undefined ? {} : { repetitions: choice.repetitions }),
    traces: choice.traces,
    ccas: choice.stacks ? withStacks(choice.ccas, kind, listing) : [...choice.ccas],
    flows: flowsOf(kind, choice, duration_s, listing),
    ...(sweep === undefined ? {} : { sweep }),
  };
}

/** Whether these flows take turns, and how many do: what a field that changes their number goes by. */
export function turnsIn(flows: readonly FlowSpec[], duration_s: number): number | null {
  const turns = turnsOf(flows.length, duration_s);
  const alike = flows.every(
    ({ cca, start_s, stop_s }, i) => cca === '$cca' && start_s === turns[i]?.start_s && stop_s === turns[i].stop_s,
  );
  return flows.length > 1 && alike ? flows.length : null;
}
