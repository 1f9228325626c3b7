// A moment in the past, in words that stay true while the page is open.
import { useSyncExternalStore } from 'react';
import { formatWhen } from './format';

const TICK_MS = 15_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export function When({ iso }: { readonly iso: string }) {
  const at = useSyncExternalStore(subscribe, () => now);
  return (
    <time dateTime={iso} title={new Date(iso).toLocaleString('en-GB')}>
      {formatWhen(iso, at)}
    </time>
  );
}
