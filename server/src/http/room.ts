// What is written faster than it is read waits, and leaves nothing behind while it does.
import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** When more may be written to it, or nothing ever will be. */
export async function room(to: Writable): Promise<void> {
  if (to.destroyed || to.closed) return;
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(to, 'drain', { signal }), once(to, 'close', { signal })]);
  } finally {
    // Whoever reads a long answer slowly would have a listener for each time that it was waited for.
    over.abort();
  }
}
