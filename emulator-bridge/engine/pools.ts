// Pools of one worker each, that share a module which was compiled once.
import type { Port } from './messages.ts';
import { createPool, type EnginePool } from './pool.ts';

export type OpenPool = (port: Port) => EnginePool;

export function poolsOf(bytes: Uint8Array<ArrayBuffer>): OpenPool {
  const module = new WebAssembly.Module(bytes);
  return (port) => createPool({ module, size: 1, open: () => port });
}
