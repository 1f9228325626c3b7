import { pino, type Logger } from 'pino';
import type { ServeConfig } from './config.ts';
import { logIds } from './tracing/spans.ts';

/** Log lines are JSON on stderr; stdout is for people and scripts. */
export function createLog(level: ServeConfig['logLevel']): Logger {
  const lines = pino.destination(2);
  // A log that cannot be written (a full disk, a closed pipe) is lost; what it would have told of goes on.
  lines.on('error', () => undefined);
  return pino({ level, base: null, mixin: () => logIds() }, lines);
}
