// Reads one file of a trace beside the page; it is ended when that is done.
import { createTraceReader, READER_LIMITS, type ReadOptions, type TraceReading } from '#engine/trace-reader';
import type { TraceForm } from '#protocol/trace';

export interface TraceQuestion {
  readonly module: WebAssembly.Module;
  readonly file: Blob;
  readonly options: ReadOptions;
}
export type TraceAnswer =
  | { readonly ok: true; readonly reading: TraceReading; readonly forms: TraceForm[] }
  | { readonly ok: false; readonly message: string };

self.onmessage = ({ data: { module, file, options } }: MessageEvent<TraceQuestion>) => {
  const say = (answer: TraceAnswer): void => self.postMessage(answer);
  createTraceReader(module)
    .then(async (reader) => {
      // Of one that is too large no more is read than says so.
      const bytes = new Uint8Array(await file.slice(0, READER_LIMITS.fileBytes + 1).arrayBuffer());
      say({ ok: true, reading: await reader.read(bytes, options), forms: reader.forms() });
    })
    .catch((error: unknown) => say({ ok: false, message: error instanceof Error ? error.message : String(error) }));
};
