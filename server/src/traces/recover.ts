import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Lab } from '../lab.ts';
import { tracesIn } from '../store/integrity.ts';

const SHOWN_CHARACTERS = 8;
const WEIGHTS = /^([0-9a-f]{64})\.weights\.json$/;

/** Takes in what lies in the traces folder and the database does not know: their names are lost, their content is not. */
export async function recoverTraces({ traces, weights, store }: Lab, log: Logger): Promise<void> {
  const nameOf = (id: string): string => `recovered ${id.slice(0, SHOWN_CHARACTERS)}`;
  for (const id of tracesIn(traces.dir)) {
    if (store.traces.get(id) !== null) continue;
    const { record } = await traces.add(traces.path(id), { name: nameOf(id), origin: 'file' });
    log.info({ trace: record.id }, 'a trace was taken in again');
  }
  for (const name of readdirSync(traces.dir)) {
    const [, id] = WEIGHTS.exec(name) ?? [];
    if (id !== undefined && store.weights.get(id) === null) await weights.add(join(traces.dir, name), nameOf(id));
  }
}
