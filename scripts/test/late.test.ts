import { expect, it } from 'vitest';
import { tooLateFor } from './late.mjs';
import { STAGES } from './stages.mjs';

const HOUR_MS = 3600_000;

it('leaves out what others do in another way, where the machine is slow and nobody has asked for it', () => {
  expect(tooLateFor({ again: true }, false, 2 * HOUR_MS)).toBe('65 minutes were over');
  expect(tooLateFor({ again: true }, false, HOUR_MS)).toBe(null);
  expect(tooLateFor({ again: true }, true, 2 * HOUR_MS)).toBe(null);
  expect(tooLateFor({}, false, 2 * HOUR_MS)).toBe(null);
});

it('never leaves out what nothing else does', () => {
  const again = Object.entries(STAGES).filter(([, stage]) => stage.again === true);
  expect(again.map(([name]) => name)).toEqual(['sanitize-realtime', 'keyboard-chosen']);
});
