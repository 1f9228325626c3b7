// How numbers are written: on the page as in reports.
export * from '#analysis/format';

/** 3 Nov 2026, where the reader is. */
export const day = (iso: string): string =>
  new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
