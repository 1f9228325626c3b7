// How much of a picture must be painted anew. A picture is a function of its data and its view: whatever was painted in parts, as the
// data came in, is what would be painted at once.
import { detailOf, type Detail } from './columns';
import { mappingOf, type Scene } from './draw-panel';
import { dataOf } from './types';

/** What a picture was painted from. */
export interface Picture {
  readonly scene: Scene;
  readonly hidden: Scene['visibility']['state'];
  readonly lengths: readonly number[];
  readonly marks: readonly number[];
  readonly details: readonly Detail[];
}

/** Marks and lines stick out so far to the left of their moment, px: a mark stands in the middle of a cell of pixels. */
const REPAINT_PX = 12;

export function pictureOf(scene: Scene): Picture {
  const { spec, visibility } = scene;
  const m = mappingOf(scene);
  return {
    scene,
    hidden: visibility.state,
    lengths: spec.series.map((series) => dataOf(series).length),
    marks: (spec.marks ?? []).map(({ times }) => times.length),
    details: spec.series.map((series) => detailOf(dataOf(series), m)),
  };
}

/** Whether axes and everything behind the series are as they were. */
const sameFrame = (a: Scene, b: Scene): boolean =>
  a.spec === b.spec &&
  a.layout === b.layout &&
  a.theme === b.theme &&
  a.visibility === b.visibility &&
  a.columnWidth === b.columnWidth &&
  a.empty === b.empty &&
  [0, 1].every((i) => a.range[i] === b.range[i] && a.yRange[i] === b.yRange[i]);

const sameDetails = (a: readonly Detail[], b: readonly Detail[]): boolean =>
  a.length === b.length &&
  a.every(({ crowded, block }, i) => crowded === b[i]?.crowded && (!crowded || block === b[i].block));

/** The pixel from which on the picture `before` must be painted anew to become `now`; 0: all of it, Infinity: nothing. */
export function dirtyFrom(before: Picture | null, now: Picture): number {
  if (
    before?.hidden !== now.hidden ||
    !sameFrame(before.scene, now.scene) ||
    !sameDetails(before.details, now.details) ||
    // A growing ribbon's name stands at its beginning: it is drawn whole.
    now.scene.spec.series.some((series) => series.kind === 'ribbon')
  )
    return 0;
  const { layout, range, columnWidth } = now.scene;
  const oldest = oldestChange(before, now);
  const pixel = layout.left + ((oldest - range[0]) / (range[1] - range[0])) * layout.plotWidth - REPAINT_PX;
  if (pixel > layout.left + layout.plotWidth) return Infinity;
  // On a whole pixel of the device: a seam would be seen.
  return Math.max(0, Math.floor(pixel / columnWidth) * columnWidth);
}

/** The earliest time from which on something differs; Infinity: nothing does. */
function oldestChange(before: Picture, now: Picture): number {
  let oldest = Infinity;
  now.scene.spec.series.forEach((series, i) => {
    const [old, length] = [before.lengths[i] ?? 0, now.lengths[i] ?? 0];
    if (length > old) oldest = Math.min(oldest, dataOf(series).x[old - 1] ?? -Infinity);
  });
  now.scene.spec.marks?.forEach(({ times }, i) => {
    oldest = Math.min(oldest, times[before.marks[i] ?? 0] ?? Infinity);
  });
  return oldest;
}
