import { describe, expect, test } from 'vitest';
import { ELEMENT_COLUMNS, TIME_COLUMN } from '#protocol/columns';
import type { StreamColumn } from '#protocol/control';
import { elementNames, elementPanels, idleText, shownFirst } from './element-panels';

const column = (name: string, unit: string, states: string[] = []): StreamColumn => ({
  name,
  unit,
  label: name,
  type: 'f32',
  ...(states.length === 0 ? {} : { states }),
});
const common = [TIME_COLUMN, ...ELEMENT_COLUMNS].map(({ name, unit }) => column(name, unit));
const panelsOf = (...own: StreamColumn[]) => elementPanels({ columns: [...common, ...own] });
const named = (panels: ReturnType<typeof elementPanels>) =>
  panels.map(({ columns }) => columns.map(({ name }) => name));

describe('panels of an element', () => {
  test('have its own values first, by unit; what comes through would hide what is lost', () => {
    const panels = panelsOf(column('queue_bytes', 'B'), column('wait_ms', 'ms'), column('tokens_bytes', 'B'));
    expect(named(panels)).toEqual([
      ['queue_bytes', 'tokens_bytes'],
      ['wait_ms'],
      ['lost_packets', 'copied_packets', 'held_packets'],
      ['entered_packets', 'passed_packets'],
    ]);
    expect(named(shownFirst(panels))).toEqual([['queue_bytes', 'tokens_bytes']]);
  });

  test('own packets share the panel of those that are counted for all', () => {
    expect(named(panelsOf(column('marked_packets', 'packets')))).toEqual([
      ['marked_packets', 'lost_packets', 'copied_packets', 'held_packets'],
      ['entered_packets', 'passed_packets'],
    ]);
  });

  test('states have a ribbon of their own, which is not alone', () => {
    const panels = panelsOf(column('state', '', ['good', 'bad']), column('retries', ''));
    expect(panels.map(({ states }) => states)).toEqual([true, false, false, false]);
    expect(named(shownFirst(panels))).toEqual([['state'], ['retries']]);
  });
});

test('elements alike are numbered within their direction', () => {
  const of = (label: string, direction = 'forward') => ({ label, direction });
  expect(elementNames([of('Loss'), of('Queue'), of('Queue'), of('Queue', 'reverse')])).toEqual([
    'Loss',
    'Queue 1',
    'Queue 2',
    'Queue, acknowledgements',
  ]);
});

describe('what did nothing is said', () => {
  const [panel] = panelsOf();
  const stream = (values: Readonly<Record<string, readonly number[]>>) => ({
    rows: 3,
    column: (name: string) => Float32Array.from(values[name] ?? [0, 0, 0]),
  });
  test('if every value is zero', () => {
    expect(idleText(panel!, stream({}))).toBe('lost_packets, copied_packets, held_packets: 0 throughout');
    expect(idleText(panel!, stream({ held_packets: [0, 0, 1] }))).toBe(undefined);
    // What was not counted says nothing either way.
    expect(idleText(panel!, stream({ lost_packets: [NaN, NaN, NaN] }))).toMatch(/0 throughout$/);
    expect(idleText(panel!, stream({ lost_packets: [NaN, 2, NaN] }))).toBe(undefined);
  });

  test('if there never was a value; not before there are samples, nor of states', () => {
    const [delays] = panelsOf(column('delay_mean_ms', 'ms'));
    expect(idleText(delays!, stream({ delay_mean_ms: [NaN, NaN, NaN] }))).toBe('delay_mean_ms: never a value');
    expect(idleText(panel!, { ...stream({}), rows: 0 })).toBe(undefined);
    const [states] = panelsOf(column('state', '', ['good', 'bad']));
    expect(idleText(states!, stream({}))).toBe(undefined);
  });
});
