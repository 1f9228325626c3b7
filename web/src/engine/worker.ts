import interpreter from '@jitl/quickjs-wasmfile-release-sync/wasm?url';
import { serveEngine } from '#engine/serve';

serveEngine(self, () => WebAssembly.compileStreaming(fetch(interpreter)));
