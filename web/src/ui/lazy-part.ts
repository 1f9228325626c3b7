// A part of a page whose code comes when it is wanted. A server that starts anew just then must not take the whole page with it.
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/** How long it waits before each further try, ms: longer in all than a server takes to start. */
const WAITS = [500, 1000, 2000, 4000, 8000];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What `load` gives; tried again when it fails, and the last failure when it never succeeds. */
export async function patiently<T>(load: () => Promise<T>, waits: readonly number[] = WAITS): Promise<T> {
  for (const wait of waits)
    try {
      return await load();
    } catch {
      await pause(wait);
    }
  return load();
}

export const lazyPart = <P>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> => lazy(() => patiently(load));
