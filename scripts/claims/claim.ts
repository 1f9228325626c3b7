/** What a paper says in numbers or as an order, and what ours give for it. */
export interface Claim {
  /** Stable: reasons.json names it. */
  readonly id: string;
  /** Figure or table, as printed. */
  readonly where: string;
  readonly what: string;
  readonly published: string;
  readonly measure: () => Promise<Measured>;
}

export interface Measured {
  readonly text: string;
  readonly holds: boolean;
}

export interface Answer {
  readonly paper: string;
  readonly claim: Claim;
  readonly measured: Measured;
}

/** Holds where the value is within the bounds, which are printed. */
export const within = (value: number, low: number, high: number, text = value.toFixed(1)): Measured => ({
  text,
  holds: value >= low && value <= high,
});
