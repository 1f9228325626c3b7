/** Where the scores stand on the page. */
export const SCORES_ID = 'scores';
