// Long work is written as a generator that stops at short steps: whoever drives it may do something else in between.

/** Drives steps to their end at once: where nobody else waits. */
export function finish<T>(steps: Generator<unknown, T, undefined>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Steps as pauses between pieces of text, which are empty. */
export function* paused<T>(steps: Generator<unknown, T, undefined>): Generator<string, T, undefined> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield '';
  }
}
