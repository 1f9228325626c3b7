// The address of a view for somebody else.
/** With this begins what an address brings along behind its '#' (share/carried.ts). */
export const CARRIES = 'carries=';

/** `hash`: of an address, without the '#'. */
export const isCarrying = (hash: string): boolean => hash.startsWith(CARRIES);

type Carrying = (address: string) => Promise<string>;

let carrying: Carrying | null = null;

/** Where what a view shows is in this browser alone, its link brings it along (static/carry.ts). */
export const carryAlong = (by: Carrying): void => void (carrying = by);

export const linkTo = (address: string): string | Promise<string> => (carrying === null ? address : carrying(address));

export const linkHere = (): string | Promise<string> => linkTo(window.location.href);
