// Marks that would cover each other move apart, as little as that takes, and never out of their frame. The same marks, the same picture.
import type { Box } from '#analysis/place-labels';

export interface Dodger {
  /** Where it belongs. */
  readonly x: number;
  readonly y: number;
  /** What it covers, relative to that place. */
  readonly box: Box;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

const AIR = 1;
/** Forty marks in one heap are apart after about sixty. */
const ROUNDS = 300;

interface Moving {
  x: number;
  y: number;
  readonly box: Box;
}

export function dodge(marks: readonly Dodger[], bounds: Box): Place[] {
  const moving = marks.map(({ x, y, box }): Moving => ({ x, y, box }));
  for (const one of moving) keepInside(one, bounds);
  for (let round = 0; round < ROUNDS; round++) {
    let touched = false;
    for (const [i, a] of moving.entries()) for (const b of moving.slice(i + 1)) if (part(a, b, i)) touched = true;
    for (const one of moving) keepInside(one, bounds);
    if (!touched) break;
  }
  return moving.map(({ x, y }) => ({ x, y }));
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

function keepInside(mark: Moving, { x, y, width, height }: Box): void {
  const { box } = mark;
  mark.x = clamp(mark.x, x - box.x, x + width - box.x - box.width);
  mark.y = clamp(mark.y, y - box.y, y + height - box.y - box.height);
}

/** Moves two marks apart the short way; whether they touched. */
function part(a: Moving, b: Moving, seed: number): boolean {
  const dx = b.x + b.box.x + b.box.width / 2 - (a.x + a.box.x + a.box.width / 2);
  const dy = b.y + b.box.y + b.box.height / 2 - (a.y + a.box.y + a.box.height / 2);
  const overX = (a.box.width + b.box.width) / 2 + AIR - Math.abs(dx);
  const overY = (a.box.height + b.box.height) / 2 + AIR - Math.abs(dy);
  if (overX <= 0 || overY <= 0) return false;
  // In one place there is no short way: some go one way, some the other.
  const sign = (d: number): number => (d === 0 ? (seed % 2 === 0 ? 1 : -1) : Math.sign(d));
  const step = 0.5;
  if (overX < overY) {
    const by = (overX * step + 0.05) * sign(dx);
    a.x -= by;
    b.x += by;
  } else {
    const by = (overY * step + 0.05) * sign(dy);
    a.y -= by;
    b.y += by;
  }
  return true;
}
