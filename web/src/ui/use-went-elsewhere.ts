// Who goes back or forward in the browser's history has ended what was under way: one more step of it would replace the entry that was gone to.
import { useEffectEvent, useLayoutEffect } from 'react';

export function useWentElsewhere(then: () => void): void {
  const told = useEffectEvent(then);
  // From the moment that the control is there: what can be moved can be gone back from.
  useLayoutEffect(() => {
    const listener = (): void => told();
    window.addEventListener('popstate', listener);
    return () => window.removeEventListener('popstate', listener);
  }, []);
}
