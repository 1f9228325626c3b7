import { expect, it } from 'vitest';
import { logLevelFrom } from './config.ts';

it('logs what is not well where a person reads, everything of note elsewhere, and what is asked for everywhere', () => {
  expect(logLevelFrom({}, true)).toBe('warn');
  expect(logLevelFrom({}, false)).toBe('info');
  for (const atTerminal of [true, false]) expect(logLevelFrom({ PACELINE_LOG: 'debug' }, atTerminal)).toBe('debug');
});
