/** Why a run in real time does not count where the machine, busy with something else, did not keep up. */
export const LATE =
  /^(?!.*(lost outside|never started|ended after|fault of the engine)).*(woke up to .* late|served more than 1 ms late|could not keep up|of the time for a processor)/;
