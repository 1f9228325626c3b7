// The form's state: a spec that may still lack a trace or a CCA. The form and the JSON editor are two views of it.
import type { z } from 'zod';
import { ccaLabel } from '#analysis/cca-label';
import { turnsIn, turnsOf } from '#analysis/kind-spec';
import { nameIsItsOwn, setName, traceNamed } from '#analysis/trace-library';
import type { TraceRecord } from '#protocol/api';
import { type CcaDescriptor, type EngineListing, MARKERS } from '#protocol/cca';
import { faultsOf } from '#protocol/faults';
import { AskedSpec, type BufferSpec, type ChosenCca, FlowSpec, type TraceEntry, VARY } from '#protocol/spec';
import { Sweep, type SweepValue } from '#protocol/sweep';

/** A spec whose lists may be empty. The name may be empty too: then it is made from the choices. */
export type Draft = Omit<AskedSpec, 'full_scores' | 'vary'> & {
  /** null: nobody has chosen, so it follows what it costs (full-scores.ts). */
  readonly full_scores: boolean | null;
  /** null: nobody has chosen, so it follows what is asked (variedBy). */
  readonly vary: AskedSpec['vary'] | null;
};

/** Limits that the papers use, offered as one click. */
export const USUAL_LIMITS: readonly BufferSpec[] = [{ bdp: 1 }, { bdp: 5 }, { bdp: 10 }, { infinite: true }];
/** So many competitors are chosen in a new form. */
const FIRST_CCAS = 3;

/** The first owner of a colour has the plainest marker: who meets the field meets these first. */
const precedence = ({ baseline, identity: { slot, marker, hollow } }: CcaDescriptor): number =>
  ((baseline ? -1 : slot) * 2 + Number(hollow)) * MARKERS.length + MARKERS.indexOf(marker);

const DEFAULTS = AskedSpec.parse({ traces: [{ rate_mbps: 1 }], ccas: [{ id: 'any' }] });

/** A flow of a new form opens its connection as real ones do; a spec that says nothing leaves that out. */
export const newFlow = (): FlowSpec => FlowSpec.parse({ handshake: 'full' });

/** Flows that take turns share a new duration as they shared the old one. */
export function turnsKept({ flows, duration_s }: Draft, next: number): Partial<Draft> {
  const turns = turnsIn(flows, duration_s);
  return turns === null ? {} : { flows: takingTurns(turns, next) };
}

export const takingTurns = (flows: number, duration_s: number): FlowSpec[] =>
  turnsOf(flows, duration_s).map((flow) => FlowSpec.parse(flow));

type Repeated = Pick<Draft, 'vary' | 'engine' | 'repetitions' | 'traces' | 'bdp_of'>;

/**
 * What differs between repetitions. Where nobody has chosen, each begins elsewhere in a trace that is repeated: its intervals then tell of
 * networks like it, not of one stretch alone. Limits of the part that runs need that stretch.
 */
export function variedBy({ vary, engine, repetitions, traces, bdp_of }: Repeated): AskedSpec['vary'] {
  if (vary !== null) return vary;
  const ofNetworks = engine === 'virtual' && repetitions > 1 && bdp_of !== 'part';
  return ofNetworks && traces.some((ref) => !('rate_mbps' in ref)) ? [...VARY] : DEFAULTS.vary;
}

/** A new form: the baseline, then the first competitor of each next colour, at two limits. */
export function firstDraft(listing: EngineListing): Draft {
  const senders = listing.ccas
    .filter((cca) => cca.kind === 'sender' && cca.own === undefined)
    .toSorted((a, b) => precedence(a) - precedence(b));
  const firstOfColour = (cca: CcaDescriptor): boolean =>
    senders.find(({ identity }) => identity.slot === cca.identity.slot) === cca;
  const chosen = senders.filter(firstOfColour).slice(0, FIRST_CCAS);
  return {
    ...DEFAULTS,
    name: '',
    traces: [],
    ccas: listing.ccas.filter((cca) => chosen.includes(cca)).map((cca) => ({ id: cca.id, params: {} })),
    buffers: [{ bdp: 1 }, { bdp: 5 }],
    flows: [newFlow()],
    full_scores: null,
    vary: null,
  };
}

export const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The trace that is meant, or of whose recipe seeds are, as the server would find it. */
export const traceOf = (ref: TraceEntry, all: readonly TraceRecord[]): TraceRecord | undefined =>
  'trace' in ref ? traceNamed(all, ref.trace) : 'recipe' in ref ? traceNamed(all, ref.recipe) : undefined;

/** A name is easier to read, the content hash is never ambiguous. */
export const traceRef = (trace: TraceRecord, all: readonly TraceRecord[]): { trace: string } => ({
  trace: nameIsItsOwn(trace, all) ? trace.name : trace.id,
});

export const toggled = <T>(list: readonly T[], item: T, on: boolean): T[] =>
  on ? [...list.filter((other) => !sameJson(other, item)), item] : list.filter((other) => !sameJson(other, item));

/** Limits in the order in which people read them: by size within a unit, infinite last. */
export function sortBuffers(buffers: readonly BufferSpec[]): BufferSpec[] {
  const rank = (buffer: BufferSpec): [number, number] => {
    if ('bdp' in buffer) return [0, buffer.delay === 'link' ? buffer.bdp / 2 : buffer.bdp];
    if ('packets' in buffer) return [1, buffer.packets];
    if ('bytes' in buffer) return [2, buffer.bytes];
    if ('ms' in buffer) return [3, buffer.ms];
    return [4, 0];
  };
  return [...buffers].sort((a, b) => {
    const [[unitA, sizeA], [unitB, sizeB]] = [rank(a), rank(b)];
    return unitA - unitB || sizeA - sizeB;
  });
}

/** Chosen CCAs in the engine's order, so that two forms with the same choice make the same spec. */
export const sortCcas = (ccas: readonly ChosenCca[], listing: EngineListing): ChosenCca[] => {
  const place = new Map(listing.ccas.map((cca, i) => [cca.id, i]));
  return [...ccas].sort((a, b) => (place.get(a.id) ?? Infinity) - (place.get(b.id) ?? Infinity));
};

/** So many seeds of a recipe; of anything else one. */
export const seedsIn = (entry: TraceEntry): number => {
  if (!('recipe' in entry)) return 1;
  return Array.isArray(entry.seeds) ? entry.seeds.length : entry.seeds.count;
};

const traceName = (ref: TraceEntry, traces: readonly TraceRecord[]): string => {
  if ('rate_mbps' in ref) return `${ref.rate_mbps} Mbps`;
  if ('recipe' in ref) return `${seedsIn(ref)} seeds of ${traceOf(ref, traces)?.name ?? ref.recipe}`;
  if (!('trace' in ref)) return setName(ref);
  return traceOf(ref, traces)?.name ?? ref.trace;
};

const several = (names: readonly string[], what: string): string =>
  names.length === 0 ? `no ${what}` : names.length <= 3 ? names.join(', ') : `${names.length} ${what}s`;

/** `Cubic, BBR on lte-drive`: what the experiment is called when nobody names it. */
export function automaticName(draft: Draft, listing: EngineListing, traces: readonly TraceRecord[]): string {
  const label = (ref: ChosenCca): string => {
    const cca = listing.ccas.find(({ id }) => id === ref.id) ?? null;
    const variants = draft.ccas.filter(({ id }) => id === ref.id).length > 1;
    return variants ? ccaLabel({ cca: ref }, cca) : (cca?.label ?? ref.id);
  };
  const ccas = several(draft.ccas.map(label), 'CCA');
  if (draft.traces.length === 0) return ccas;
  return `${ccas} on ${several(
    draft.traces.map((ref) => traceName(ref, traces)),
    'trace',
  )}`.slice(0, 200);
}

export interface Fault {
  /** `flows[0].stop_s`; empty: the whole document. */
  readonly where: string;
  readonly detail: string;
}

/** A JSON path as people write it. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');

const written = (error: z.ZodError): Fault[] =>
  faultsOf(error).map(({ path, detail }) => ({ where: pathText(path), detail }));

export type Checked =
  { readonly ok: true; readonly spec: AskedSpec } | { readonly ok: false; readonly faults: readonly Fault[] };

/** The draft as a spec that can run, or what is still wrong with it. */
export function checkDraft(draft: Draft, name: string): Checked {
  const faults: Fault[] = [];
  if (draft.traces.length === 0) faults.push({ where: 'traces', detail: 'Choose at least one trace.' });
  if (draft.ccas.length === 0) faults.push({ where: 'ccas', detail: 'Choose at least one algorithm.' });
  if (draft.buffers.length === 0) faults.push({ where: 'buffers', detail: 'Choose at least one queue limit.' });
  if (draft.queues.length === 0) faults.push({ where: 'queues', detail: 'Choose at least one queue discipline.' });
  if (faults.length > 0) return { ok: false, faults };
  const parsed = AskedSpec.safeParse({
    ...draft,
    name: draft.name.trim() === '' ? name : draft.name,
    full_scores: draft.full_scores ?? false,
    vary: variedBy(draft),
  });
  return parsed.success ? { ok: true, spec: parsed.data } : { ok: false, faults: written(parsed.error) };
}

/** What a person wrote into the JSON editor. */
export function readJson(text: string): { readonly draft: Draft } | { readonly faults: readonly Fault[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { faults: [{ where: '', detail: error instanceof Error ? error.message : 'This is not JSON.' }] };
  }
  const parsed = AskedSpec.safeParse(value);
  if (!parsed.success) return { faults: written(parsed.error) };
  return { draft: parsed.data.name === DEFAULTS.name ? { ...parsed.data, name: '' } : parsed.data };
}

/** What differs from the default, and what is named. */
const differing = (
  value: object,
  defaults: Readonly<Record<string, unknown>>,
  named: readonly string[] = [],
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([key, entry]) => named.includes(key) || !(entry === null || sameJson(entry, defaults[key])),
    ),
  );

const FLOW_DEFAULTS = FlowSpec.parse({});

/** The spec without what is at its default anyway: short enough to read. */
export function shortSpec(spec: Draft): Record<string, unknown> {
  const flows = spec.flows.map((flow) => differing(flow, FLOW_DEFAULTS));
  return differing({ ...spec, flows }, { ...DEFAULTS, flows: [{}] }, ['name', 'traces', 'ccas']);
}

export const writeJson = (draft: Draft, name: string): string =>
  JSON.stringify(shortSpec({ ...draft, name: draft.name.trim() === '' ? name : draft.name }), null, 2);

/** `0.1, 0.5`, `true, false`, `linux, rfc` as values of a sweep; null when there are none, or too many. */
export function readValues(text: string): SweepValue[] | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  const values = parts.map((part) => {
    if (part === 'true' || part === 'false') return part === 'true';
    return Number.isFinite(Number(part)) ? Number(part) : part;
  });
  const sweep = Sweep.shape.values.safeParse([...new Set(values)]);
  return sweep.success ? sweep.data : null;
}

/** `20, 50` as numbers; null when it is not a list of numbers in range. */
export function readNumbers(text: string, min: number, max: number): number[] | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  const values = parts.map(Number);
  const fits = values.length > 0 && values.every((value) => Number.isFinite(value) && value >= min && value <= max);
  return fits ? [...new Set(values)] : null;
}

// --- keeping the form over a reload ---

const STORAGE_KEY = 'paceline.new-experiment';

export function keepDraft(draft: Draft): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(draft));
}

export function keptDraft(): Draft | null {
  const text = sessionStorage.getItem(STORAGE_KEY);
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as Draft;
    // Lists that are still empty are no fault of a draft: check it with placeholders in their place.
    const filled = {
      ...kept,
      name: kept.name === '' ? 'unnamed' : kept.name,
      full_scores: kept.full_scores ?? false,
      vary: kept.vary ?? DEFAULTS.vary,
      traces: kept.traces.length > 0 ? kept.traces : [{ rate_mbps: 1 }],
      ccas: kept.ccas.length > 0 ? kept.ccas : [{ id: 'any' }],
      buffers: kept.buffers.length > 0 ? kept.buffers : DEFAULTS.buffers,
      queues: kept.queues.length > 0 ? kept.queues : DEFAULTS.queues,
    };
    return AskedSpec.safeParse(filled).success ? kept : null;
  } catch {
    return null;
  }
}
