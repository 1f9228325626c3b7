/** Inclusive bounds; absent: none. */
export interface Band {
  readonly low?: number;
  readonly high?: number;
}

/** A number of a check, and where it should be. */
export interface Figure {
  readonly name: string;
  readonly band: Band;
  readonly value: number;
}

export const within = ({ low = -Infinity, high = Infinity }: Band, value: number): boolean =>
  value >= low && value <= high;

export function bandText(band: Band): string {
  const [low, high] = [band.low, band.high].map((value) => (value === undefined ? undefined : numberText(value)));
  if (low !== undefined && high !== undefined) return `${low}–${high}`;
  return low === undefined ? `≤ ${high}` : `≥ ${low}`;
}

/** Three significant digits, no exponent. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return String(Number(value.toFixed(Math.min(digits, 3))));
}
