// How numbers are written: on the page as in reports.
export * from '#analysis/format';
