/** Asks once and keeps the answer; a failure is forgotten, so that the next question is asked again. */
export function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = null;
      throw error;
    });
    return answer;
  };
}

/** Those who ask while an answer is being made get the same. */
export function atOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => (answer ??= ask().finally(() => (answer = null)));
}
