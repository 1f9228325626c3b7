import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { nativeDir } from '#bridge/programs';
import { unknownRoute } from './problem.ts';

/** The engine for the page (docs/wasm.md), packed where the browser can unpack it; not found where it was not built. */
export function engineModule(folder = nativeDir()): RequestHandler {
  const file = join(folder, 'paceline.wasm');
  return (req, res, next) => {
    if (!existsSync(file)) {
      unknownRoute(req, res, next);
      return;
    }
    const packed = req.acceptsEncodings('br') !== false && existsSync(`${file}.br`);
    res.vary('Accept-Encoding').set('Cache-Control', 'no-cache').type('application/wasm');
    if (packed) res.set('Content-Encoding', 'br');
    res.sendFile(packed ? `${file}.br` : file);
  };
}
