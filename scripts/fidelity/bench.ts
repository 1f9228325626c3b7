import { NO_SWITCHES, type Switches } from './switches.ts';

/** Where the checks' runs are made, and what is changed about them. */
export interface Bench {
  /** For imported traces. */
  readonly dir: string;
  readonly switches: Switches;
  /** Something about the checks is not as they are written: a deviation that is gone says nothing about its entry. */
  readonly altered: boolean;
  /** Not all algorithms run: a check may lack some of its figures. */
  readonly partial: boolean;
}

export const asWritten = (dir: string): Bench => ({ dir, switches: NO_SWITCHES, altered: false, partial: false });
