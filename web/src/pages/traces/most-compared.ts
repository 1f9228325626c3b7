/** More lines than this are a tangle. */
export const MOST_COMPARED = 6;
