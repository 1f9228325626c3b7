import { useEffect, useState } from 'react';

/** A value that changes all the time, renewed at most every `ms`: unlike a deferred one it is never starved by the next change. */
export function useCalm<T>(value: T, ms: number): T {
  const [{ shown, at }, setShown] = useState(() => ({ shown: value, at: performance.now() }));
  useEffect(() => {
    if (Object.is(value, shown)) return;
    const timer = setTimeout(
      () => setShown({ shown: value, at: performance.now() }),
      Math.max(0, at + ms - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [value, shown, at, ms]);
  return shown;
}
