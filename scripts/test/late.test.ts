import { expect, it } from 'vitest';
import { tooLateFor } from './late.mjs';
import { STAGES } from './stages.mjs';

const HOUR_MS = 3600_000;

it('leaves out what others do in another way, where the machine is slow and nobody has asked for it', () => {
  expect(tooLateFor({ again: 'otherwise' }, false, 1.2 * HOUR_MS)).toBe('65 minutes were over');
  expect(tooLateFor({ again: 'watched' }, false, 1.2 * HOUR_MS)).toBe(null);
  expect(tooLateFor({ again: 'watched' }, false, 2 * HOUR_MS)).toBe('78 minutes were over');
  expect(tooLateFor({ again: 'otherwise' }, false, HOUR_MS)).toBe(null);
  expect(tooLateFor({ again: 'otherwise' }, true, 2 * HOUR_MS)).toBe(null);
  expect(tooLateFor({}, false, 2 * HOUR_MS)).toBe(null);
});

it('never leaves out what nothing else does', () => {
  const again = Object.entries(STAGES).flatMap(([name, stage]) =>
    stage.again === undefined ? [] : [[name, stage.again]],
  );
  expect(Object.fromEntries(again)).toEqual({
    'sanitize-realtime': 'otherwise',
    sanitize: 'watched',
    threads: 'watched',
    'keyboard-chosen': 'otherwise',
  });
});
