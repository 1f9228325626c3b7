// The engine in workers of this page (docs/wasm.md), fetched when it is first asked for.
import { createPool, type EnginePool, type Patience } from '#engine/pool';
import type { Port } from '#engine/messages';
import { hrefOf } from '../ui/place';

const MODULE = hrefOf('/engine/paceline.wasm');
const MOST_WORKERS = 4;
/** Who types sees what comes of it, or that nothing does. */
const PATIENCE: Patience = { silentMs: 5000, cancelledMs: 500 };

let pool: Promise<EnginePool> | null = null;

/** So many runs can go on at a time: one core stays with the page. */
export const lanes = (): number => Math.min(MOST_WORKERS, Math.max(1, navigator.hardwareConcurrency - 1));

/** The same pool for the whole page. Rejects where the server has no module; asked again, it tries again. */
export async function engines(): Promise<EnginePool> {
  pool ??= opened();
  try {
    return await pool;
  } catch (error) {
    pool = null;
    throw error;
  }
}

/** The engine cannot be had: the server has none, or the browser cannot run it. */
export class EngineMissing extends Error {
  override readonly name = 'EngineMissing';
}

/** The same, but rejects with EngineMissing. */
export const theEngines = (): Promise<EnginePool> =>
  engines().catch((error: unknown) => {
    throw new EngineMissing(error instanceof Error ? error.message : String(error));
  });

async function opened(): Promise<EnginePool> {
  const module = await WebAssembly.compileStreaming(fetch(MODULE));
  const open = (): Port => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  return createPool({ module, open, size: lanes(), patience: PATIENCE });
}
