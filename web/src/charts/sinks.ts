// What pictures are drawn into.

/** What canvas contexts and d3 paths have in common. */
export interface PathSink {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
}

/** An upright bar. */
export type BarSink = (x: number, y: number, width: number, height: number) => void;
