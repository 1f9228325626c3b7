/** A machine as slow as that has to end in time, too. */
export const LATE_MIN = /** @type {const} */ ({
  /** Then nothing begins that is done in another way already, … */
  otherwise: 65,
  /** … and then nothing that is done already, with somebody watching: sanitizers. */
  watched: 78,
});

/**
 * @param {{ again?: keyof typeof LATE_MIN }} stage
 * @param {boolean} isNamed whether somebody asked for it
 * @param {number} ms since the first began
 * @returns {string | null} why it is left out; null: it is not
 */
export const tooLateFor = ({ again }, isNamed, ms) =>
  again !== undefined && !isNamed && ms > LATE_MIN[again] * 60_000 ? `${LATE_MIN[again]} minutes were over` : null;
