// One look per CCA, everywhere: colour, marker and dash come from the descriptor's identity, never from a position in a chart.
//
// When one run has several flows of the same CCA, the hue stays (it says which CCA) and the flow is told by lightness and dash:
//   occurrence 0: the CCA's own look; 1, 2, 3: the colour mixed 35 % towards the ink, 40 % towards the surface, 60 % towards the ink,
//   each with its own dash; from 4 on the lightnesses repeat with the next dash, so 16 flows of one CCA have 16 looks.
//
// Those of real stacks have the hue and marker of ours by the same name, but a step away in lightness, one for the kernel, one for QUIC and one for external programs;
// what is not our code is hollow and dashed besides. So all that share a name can be told apart.
import { interpolateLab } from 'd3-interpolate';
import type { CcaDescriptor, CcaKind } from '#protocol/cca';
import { markerPath } from '#analysis/markers';
import type { Marker } from '#analysis/markers';
import type { Palette } from '#analysis/palette';

export interface Identity {
  readonly colour: string;
  readonly marker: Marker;
  readonly hollow: boolean;
  /** Canvas dash pattern; empty: solid. */
  readonly dash: readonly number[];
  /** SVG path of the marker around (0, 0) with the given area radius in pixels. */
  path(size: number): string;
}

type Described = Pick<CcaDescriptor, 'identity'> & Partial<Pick<CcaDescriptor, 'kind'>>;

/** Dashes of the occurrences; the first is solid for a slot's first use and dashed for its second (hollow) use. */
const SOLID: readonly (readonly number[])[] = [[], [7, 3], [2, 2.5], [10, 3, 2, 3]];
const DASHED: readonly (readonly number[])[] = [
  [6, 4],
  [3, 3],
  [12, 4],
  [6, 3, 1.5, 3],
];
/** QUIC's differ from those of the kernel, beside which it stands most often. */
const QUIC_SOLID: readonly (readonly number[])[] = [[], [2, 2.5], [7, 3], [10, 3, 2, 3]];
const QUIC_DASHED: readonly (readonly number[])[] = [
  [12, 4],
  [6, 3, 1.5, 3],
  [3, 3],
  [6, 4],
];
const LIGHTNESS: readonly { readonly towards: 'ink' | 'surface'; readonly by: number }[] = [
  { towards: 'ink', by: 0 },
  { towards: 'ink', by: 0.35 },
  { towards: 'surface', by: 0.4 },
  { towards: 'ink', by: 0.6 },
];
/** The ink slot cannot be mixed towards the ink: it goes towards the surface instead. */
const INK_LIGHTNESS: readonly number[] = [0, 0.35, 0.55, 0.2];

const STACK_STEP: Partial<Record<CcaKind, number>> = { kernel: 1, quic: 2, external: 3 };

function shade(colour: string, slot: number, step: number, palette: Palette): string {
  if (step === 0) return colour;
  if (slot === 0) return interpolateLab(colour, palette.surface)(INK_LIGHTNESS[step] ?? 0);
  const { towards, by } = LIGHTNESS[step] ?? { towards: 'ink', by: 0 };
  return interpolateLab(colour, palette[towards])(by);
}

/** The look of a CCA; `occurrence` counts flows of the same CCA within one run (0: the first). */
export function identity(cca: Described, palette: Palette, occurrence = 0): Identity {
  const { slot, marker, hollow } = cca.identity;
  const stack = (cca.kind === undefined ? undefined : STACK_STEP[cca.kind]) ?? 0;
  const lightness = occurrence % LIGHTNESS.length;
  const [solid, dashed] = cca.kind === 'quic' ? [QUIC_SOLID, QUIC_DASHED] : [SOLID, DASHED];
  const dashes = hollow ? dashed : solid;
  // Diagonal through the 4 x 4 table: neighbours differ in both, and 16 occurrences are all different.
  const dash = dashes[(lightness + Math.floor(occurrence / LIGHTNESS.length)) % dashes.length] ?? [];
  return {
    colour: shade(palette.slots[slot] ?? palette.ink, slot, (lightness + stack) % LIGHTNESS.length, palette),
    marker,
    hollow,
    dash,
    path: (size) => markerPath(marker, size),
  };
}

/** For each flow of a run: how many earlier flows have the same CCA. */
export function occurrences(ccaOfFlow: readonly string[]): number[] {
  const seen = new Map<string, number>();
  return ccaOfFlow.map((cca) => {
    const n = seen.get(cca) ?? 0;
    seen.set(cca, n + 1);
    return n;
  });
}

/** A CCA the listing does not know (a run of another version): neutral, but still drawn. */
export const UNKNOWN_IDENTITY: Described = { identity: { slot: 0, marker: 'circle', hollow: true } };
