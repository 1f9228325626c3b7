// Marker shapes as SVG paths (also Path2D) around (0, 0). All shapes of one size have the same area, so none looks heavier.
import type { MARKERS } from '#protocol/cca';

export type Marker = (typeof MARKERS)[number];

const n = (value: number): string => String(Math.round(value * 1000) / 1000);

function polygon(points: readonly (readonly [number, number])[]): string {
  return `M${points.map(([x, y]) => `${n(x)},${n(y)}`).join('L')}Z`;
}

/** Corners of a cross with arms of half-width `w` and half-length `l`, turned by `turn`. */
function crossPoints(w: number, l: number, turn: number): [number, number][] {
  const corners: [number, number][] = [
    [-w, -l],
    [w, -l],
    [w, -w],
    [l, -w],
    [l, w],
    [w, w],
    [w, l],
    [-w, l],
    [-w, w],
    [-l, w],
    [-l, -w],
    [-w, -w],
  ];
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  return corners.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos]);
}

function starPoints(outer: number): [number, number][] {
  // Inner radius of the regular five-pointed star: outer / golden ratio squared.
  const inner = outer * 0.381966;
  return Array.from({ length: 10 }, (_, i) => {
    const r = i % 2 === 0 ? outer : inner;
    const angle = (Math.PI * i) / 5 - Math.PI / 2;
    return [r * Math.cos(angle), r * Math.sin(angle)];
  });
}

/** Path of a marker whose area is that of a circle with radius `size`. */
export function markerPath(marker: Marker, size: number): string {
  const area = Math.PI * size * size;
  switch (marker) {
    case 'circle': {
      const r = n(size);
      return `M${r},0A${r},${r},0,1,1,-${r},0A${r},${r},0,1,1,${r},0Z`;
    }
    case 'square': {
      const h = Math.sqrt(area) / 2;
      return polygon([
        [-h, -h],
        [h, -h],
        [h, h],
        [-h, h],
      ]);
    }
    case 'diamond': {
      const h = Math.sqrt(area / 2);
      return polygon([
        [0, -h],
        [h, 0],
        [0, h],
        [-h, 0],
      ]);
    }
    case 'triangle':
    case 'triangle-down': {
      // Equilateral with side a: area = a² √3 / 4; the centroid lies at two thirds of the height.
      const side = Math.sqrt((4 * area) / Math.sqrt(3));
      const height = (side * Math.sqrt(3)) / 2;
      const up = marker === 'triangle' ? 1 : -1;
      return polygon([
        [0, (-2 / 3) * height * up],
        [side / 2, (height / 3) * up],
        [-side / 2, (height / 3) * up],
      ]);
    }
    case 'plus':
    case 'cross': {
      // Arms a third as wide as long: area = 4 w l + ... = 20 w² with l = 3 w.
      const w = Math.sqrt(area / 20);
      return polygon(crossPoints(w, 3 * w, marker === 'plus' ? 0 : Math.PI / 4));
    }
    case 'star': {
      // Area of the five-pointed star with outer radius R is 1.12257 R².
      return polygon(starPoints(Math.sqrt(area / 1.12257)));
    }
  }
}
