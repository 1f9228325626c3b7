import { manifest } from '#bridge/testing/fake-programs';
import { runId } from '../identity.ts';
import type { Store } from '../store/store.ts';

/** A run in the store that nobody has started; `seed` tells one from the next. */
export function addRun(store: Store, seed = 1): string {
  const planned = manifest({ seed });
  const id = runId(planned);
  store.runs.insert(id, planned, new Date(0).toISOString());
  return id;
}
