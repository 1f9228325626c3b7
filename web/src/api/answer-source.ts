// Answers that do not come from the server: those a share has kept. Which questions they are for is told by the question's signal, so that
// the frame around a share goes on asking the server.

/** Of an address below /api/v1; throws where it has none. */
export type AnswerSource = (address: string) => unknown;

const bySignal = new WeakMap<AbortSignal, AnswerSource>();
let everywhere: AnswerSource | null = null;

export const answerFrom = (source: AnswerSource, signal: AbortSignal): void => void bySignal.set(signal, source);

/** There is no server at all. */
export const answerEverythingFrom = (source: AnswerSource): void => void (everywhere = source);

export const sourceOf = (signal: AbortSignal | undefined): AnswerSource | null =>
  (signal === undefined ? undefined : bySignal.get(signal)) ?? everywhere;
