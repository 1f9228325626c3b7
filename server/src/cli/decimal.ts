/** A number as the command line's tables write it: four digits. */
export const decimal = (value: number): string => String(Number(value.toPrecision(4)));
