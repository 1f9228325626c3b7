import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { nativeDir } from '#bridge/programs';
import { unknownRoute } from './problem.ts';

/** The engine for the page (docs/wasm.md), packed where the browser can unpack it; not found where it was not built. */
export function engineModule(folder = nativeDir()): RequestHandler {
  const file = join(folder, 'paceline.wasm');
  const made = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return (req, res, next) => {
    const built = made(file);
    if (built === undefined) {
      unknownRoute(req, res, next);
      return;
    }
    // A packed form of before would be another engine.
    const packed = req.acceptsEncodings('br') !== false && (made(`${file}.br`) ?? 0) >= built;
    res.vary('Accept-Encoding').set('Cache-Control', 'no-cache').type('application/wasm');
    if (packed) res.set('Content-Encoding', 'br');
    res.sendFile(packed ? `${file}.br` : file);
  };
}
