// Colour, marker and dash of traces that are compared. They come from a trace's content, so that it looks the same beside others; where
// two would look alike, the later one takes the next free look.
import type { Identity } from '#analysis/cca-look';
import { markerPath } from '#analysis/markers';
import { MARKERS } from '#protocol/cca';
import type { Theme } from '../theme/theme';

const LOOKS = 6;
/** Neighbouring slots differ in their dash as well. */
const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 2.5], [10, 3, 2, 3], [12, 4], [4, 2, 1, 2]];

/** For each id one of six looks, all different while there are no more than six. */
export function lookSlots(ids: readonly string[]): number[] {
  const taken = new Set<number>();
  return ids.map((id) => {
    let slot = (Number.parseInt(id.slice(0, 6), 16) || 0) % LOOKS;
    while (taken.size < LOOKS && taken.has(slot)) slot = (slot + 1) % LOOKS;
    taken.add(slot);
    return slot;
  });
}

export function traceLooks(ids: readonly string[], theme: Theme): Identity[] {
  return lookSlots(ids).map((slot) => {
    const marker = MARKERS[slot] ?? 'circle';
    return {
      colour: theme.traces[slot] ?? theme.ink,
      marker,
      hollow: false,
      dash: DASHES[slot % DASHES.length] ?? [],
      path: (size) => markerPath(marker, size),
    };
  });
}
