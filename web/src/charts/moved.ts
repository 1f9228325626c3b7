// A picture that was painted for another time than is shown now, put where it belongs: shifted and stretched until it is painted anew.
import type { Picture } from './repaint';
import type { Scene } from './draw-panel';

/** Stretched by more than this it would say too little of what is there, or of what is beside it. */
const MOST = 4;

export interface Move {
  readonly scale: number;
  /** CSS pixels to the right, after stretching around the plot's left edge. */
  readonly shift: number;
}

/** How `before` is moved to show the range of `now`; null: it must be painted, because more than the time in sight differs. */
export function moveOf(
  before: Picture | null,
  now: Pick<Scene, 'spec' | 'layout' | 'theme' | 'visibility' | 'range'>,
): Move | null {
  const scene = before?.scene;
  if (
    scene?.spec !== now.spec ||
    scene.layout !== now.layout ||
    scene.theme !== now.theme ||
    scene.visibility !== now.visibility ||
    before?.hidden !== now.visibility.state
  )
    return null;
  const [from, to] = scene.range;
  const [start, end] = now.range;
  const scale = (to - from) / (end - start);
  const overlaps = from < end && to > start;
  if (!overlaps || !(scale <= MOST && scale >= 1 / MOST)) return null;
  return { scale, shift: ((from - start) / (end - start)) * now.layout.plotWidth };
}
