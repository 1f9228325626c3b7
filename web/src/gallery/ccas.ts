// Algorithms of the gallery: made-up names with the looks of the identity table, so that figures can be judged without an engine.
import { MARKERS, type CcaDescriptor } from '#protocol/cca';

const INTERNALS = [
  { name: 'phase', label: 'phase', unit: '', states: ['STARTUP', 'DRAIN', 'PROBE_BW', 'PROBE_RTT'] },
  { name: 'bw_mbps', label: 'bandwidth estimate', unit: 'Mbps', states: [] },
] as const;

function cca(
  id: string,
  label: string,
  slot: number,
  hollow: boolean,
  more: Partial<CcaDescriptor> = {},
): CcaDescriptor {
  return {
    id,
    label,
    family: 'gallery',
    kind: 'sender',
    baseline: slot === 0,
    summary: '',
    source: '',
    engines: ['virtual'],
    identity: { slot, marker: MARKERS[slot] ?? 'circle', hollow },
    params: [],
    internals: [],
    ...more,
  };
}

export const CCAS: readonly CcaDescriptor[] = [
  cca('curve', 'Curve', 0, false),
  cca('halving', 'Halving', 1, false),
  cca('modelled', 'Modelled', 2, false, {
    internals: INTERNALS.map((internal) => ({ ...internal, states: [...internal.states] })),
  }),
  cca('delaying', 'Delaying', 3, false),
  cca('lively', 'Lively', 4, false),
  cca('plum', 'Plum-P', 5, false),
  cca('background', 'Background', 6, false),
  cca('verdant', 'Verdant', 7, false),
  cca('vintage', 'Vintage', 1, true),
  cca('modelled3', 'Modelled 3', 2, true),
  cca('cellular', 'Cellular', 3, true),
  cca('allegory', 'Allegory', 4, true),
  cca('seer', 'Delayed oracle', 0, true, {
    kind: 'oracle',
    identity: { slot: 0, marker: 'diamond', hollow: true },
    baseline: false,
  }),
  cca('perfect', 'Optimal', 0, true, {
    kind: 'ideal',
    identity: { slot: 0, marker: 'star', hollow: true },
    baseline: false,
  }),
];

export const LISTING: ReadonlyMap<string, CcaDescriptor> = new Map(CCAS.map((entry) => [entry.id, entry]));

/** Mulberry32: the same numbers on every machine. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
