import { pino, type Logger } from 'pino';
import type { ServeConfig } from './config.ts';

/** Log lines are JSON on stderr; stdout is for people and scripts. */
export const createLog = (level: ServeConfig['logLevel']): Logger => pino({ level, base: null }, pino.destination(2));
