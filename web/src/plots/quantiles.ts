// Quantiles that are read off distributions, and what they are called.

/** Those that are asked for; the rarest that a picture of tails reaches is one in ten thousand. */
export const QUANTILES = [
  '0.01',
  '0.05',
  '0.1',
  '0.25',
  '0.5',
  '0.75',
  '0.9',
  '0.95',
  '0.99',
  '0.999',
  '0.9999',
] as const;

/** `p95`, and of the half its name. */
export const quantileName = (quantile: number): string =>
  quantile === 0.5 ? 'median' : `p${Number((quantile * 100).toFixed(2))}`;
