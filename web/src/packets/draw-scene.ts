// A scene on a surface: the canvas of the page, or the SVG of what is saved.
import type { Surface } from '../charts/surface';
import type { Theme } from '../theme/theme';
import { formatBytes, formatCount } from '../ui/format';
import { QUEUE_HALF, type Geometry, type Scene } from './scene';

const CROSS = 'M-4,-4L4,4M-4,4L4,-4';

function bars(surface: Surface, boxes: readonly number[], colour: string, opacity = 1): void {
  if (boxes.length === 0) return;
  surface.bars(
    (bar) => {
      for (let i = 0; i < boxes.length; i += 4)
        bar(boxes[i] ?? 0, boxes[i + 1] ?? 0, boxes[i + 2] ?? 0, boxes[i + 3] ?? 0);
    },
    { colour, opacity },
  );
}

/** `colours`: by flow; null: it is hidden. */
export function drawScene(
  surface: Surface,
  scene: Scene,
  colours: readonly (string | null)[],
  theme: Theme,
  geometry: Geometry,
): void {
  for (const [flow, { packets, acks, marks }] of scene.flows.entries()) {
    const colour = colours[flow] ?? null;
    if (colour === null) continue;
    bars(surface, packets, colour);
    bars(surface, acks, colour, 0.75);
    for (let i = 0; i < marks.length; i += 2)
      surface.shape('M-3,-3H3L0,2Z', marks[i] ?? 0, marks[i + 1] ?? 0, { fill: theme.ink });
  }
  for (const { x, y, flow, fresh } of scene.crosses) {
    const colour = colours[flow] ?? null;
    if (colour !== null) surface.shape(CROSS, x, y, { stroke: { colour, width: 2 }, opacity: fresh });
  }
  counts(surface, scene, theme, geometry);
}

function counts(surface: Surface, scene: Scene, theme: Theme, geometry: Geometry): void {
  const { queueTo, receiver, dataY, ackY, narrow } = geometry;
  const below = dataY + QUEUE_HALF + 14;
  const write = (text: string, x: number, y: number): void =>
    surface.text(text, x, y, { colour: theme.ink, font: theme.sans, size: 12, align: 'end' });
  write(`${formatCount(scene.queued)} waiting${narrow ? '' : `, ${formatBytes(scene.queuedBytes)}`}`, queueTo, below);
  write(`${formatCount(scene.flying)} on the link`, receiver, below);
  write(`${formatCount(scene.acks)} on the way back`, receiver, ackY + 22);
}
