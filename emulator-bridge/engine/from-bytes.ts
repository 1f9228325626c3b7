// For programs that have modules as bytes: an engine, pools of one worker each that share a module which was compiled once, and the inside
// of such a worker.
import { createEngine, type Engine } from './engine.ts';
import type { Port } from './messages.ts';
import { createPool, type EnginePool } from './pool.ts';
import { serveEngine } from './serve.ts';

export type OpenPool = (port: Port) => EnginePool;

export function poolsOf(bytes: Uint8Array<ArrayBuffer>): OpenPool {
  const module = new WebAssembly.Module(bytes);
  return (port) => createPool({ module, size: 1, open: () => port });
}

/** `interpreter`: as serveEngine's, read when it is first needed. */
export const serveEngineOf = (port: Port, interpreter: () => Uint8Array<ArrayBuffer>): void =>
  serveEngine(port, () => WebAssembly.compile(interpreter()));

/** `interpreter`: as createEngine's, read when it is first needed. */
export const engineOf = (bytes: Uint8Array<ArrayBuffer>, interpreter: () => Uint8Array<ArrayBuffer>): Promise<Engine> =>
  createEngine(bytes, () => WebAssembly.compile(interpreter()));
