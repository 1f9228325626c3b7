/** After so long nothing begins that is done in another way already: a machine as slow as that has to end in time, too. */
const ENOUGH_MIN = 65;

/**
 * @param {{ again?: boolean }} stage
 * @param {boolean} isNamed whether somebody asked for it
 * @param {number} ms since the first began
 * @returns {string | null} why it is left out; null: it is not
 */
export const tooLateFor = ({ again = false }, isNamed, ms) =>
  again && !isNamed && ms > ENOUGH_MIN * 60_000 ? `${ENOUGH_MIN} minutes were over` : null;
