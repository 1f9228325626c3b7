// What is wrong with somebody's text, and where in it.
import type { OwnProblem, SourcePlace } from '#protocol/own-algorithm';

export class OwnFault extends Error {
  override readonly name = 'OwnFault';
  readonly at: SourcePlace | null;

  constructor(message: string, at: SourcePlace | null) {
    super(message);
    this.at = at;
  }

  get problem(): OwnProblem {
    return { message: this.message, at: this.at };
  }
}

/** A text could not go on: the run is over. */
export class OwnFailed extends Error {
  override readonly name = 'OwnFailed';
  readonly at: SourcePlace | null;

  constructor(who: string, what: string, at: SourcePlace | null) {
    super(`${who}${at === null ? '' : `, line ${at.line}`}: ${what}`);
    this.at = at;
  }
}
