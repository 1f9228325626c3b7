// A number of a recipe that a slider moves. Everything else of the recipe stays as it is.
import type { Recipe } from '#protocol/recipe';

export interface Knob {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  /** The recipe with another value. */
  readonly write: (value: number) => Recipe;
}

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** Up to five minutes; longer ones are for the command line. */
export const LENGTH = { id: 'duration', label: 'Length', unit: 's', min: 10, max: 300, step: 1 } as const;
