// The inside of engine-thread.ts: an engine that stands still while too many of its frames wait to be taken.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Answer, Port } from '#engine/messages';
import { serveEngineOf } from '#engine/from-bytes';
import { MOST_FRAMES, type Taken } from './engine-thread.ts';

const INTERPRETER = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');

if (parentPort === null) throw new Error('This is the inside of a thread.');
const outside = parentPort;
const taken = workerData as Taken;
let told = 0;

const port: Port = {
  onmessage: null,
  postMessage: (message) => {
    outside.postMessage(message);
    if ((message as Answer).kind !== 'frame') return;
    told = (told + 1) | 0;
    for (let seen = Atomics.load(taken, 0); ((told - seen) | 0) >= MOST_FRAMES; seen = Atomics.load(taken, 0))
      Atomics.wait(taken, 0, seen);
  },
};
outside.on('message', (data: unknown) => port.onmessage?.({ data } as MessageEvent));
serveEngineOf(port, () => new Uint8Array(readFileSync(INTERPRETER)));
