// Who answers what the page asks of the API: the server that it came from, unless the page brings one of its own (static/main.tsx).
export const API = '/api/v1';

/** Of an address below the API's; rejects where nobody can be reached. */
export type Ask = (address: string, init: RequestInit) => Promise<Response>;

let own: Ask | null = null;

export const answerRequestsWith = (ask: Ask): void => void (own = ask);

/** False: the page is all there is. */
export const hasServer = (): boolean => own === null;

export const askApi: Ask = (address, init) => (own === null ? fetch(API + address, init) : own(address, init));
