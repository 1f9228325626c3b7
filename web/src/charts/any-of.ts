import type { Source } from './types';

/** Tells whenever one of them does: for a panel that shows several. */
export const anyOf = (sources: readonly Source[]): Source => ({
  subscribe: (listener) => {
    const stops = sources.map((source) => source.subscribe(listener));
    return () => {
      for (const stop of stops) stop();
    };
  },
});
