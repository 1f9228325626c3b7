import { describe, expect, test } from 'vitest';
import { LARGEST_DELAYS_FILE, delaysOver, delaysSummary, readDelays, writeDelays } from '#analysis/recorded-delays';
import { LIMITS } from '#protocol/limits';
import { RecordedDelays, recordedPeriodMs } from '#protocol/recorded-delays';

const fault = (text: string, options = {}): string => {
  const read = readDelays(text, options);
  return read.ok ? JSON.stringify(read.recorded) : read.fault;
};
const recorded = (text: string, options = {}): RecordedDelays => {
  const read = readDelays(text, options);
  if (!read.ok) throw new Error(read.fault);
  expect(RecordedDelays.parse(read.recorded)).toEqual(read.recorded);
  return read.recorded;
};

describe('a file of delays', () => {
  test('a delay a line, apart as it is said', () => {
    expect(recorded('4\n5.5\n.25\n')).toEqual({ times_ms: [0, 1000, 2000], delays_ms: [4, 5.5, 0.25] });
    expect(recorded('4\n5.5', { intervalMs: 20, name: 'a.csv' })).toEqual({
      name: 'a.csv',
      times_ms: [0, 20],
      delays_ms: [4, 5.5],
    });
  });

  test('a time and a delay; times count from the first, whatever clock they are of', () => {
    const text = '\ufeff# measured at home\r\n1700000000000.5, 3\r\n\r\n1700000000010.5;4e1\n1700000000030.75\t2';
    expect(recorded(text.slice(1))).toEqual({ times_ms: [0, 10, 30.25], delays_ms: [3, 40, 2] });
    expect(recorded('time_ms,delay_ms\n5,1\n6,2').times_ms).toEqual([0, 1]);
    expect(recorded(text).delays_ms).toEqual([3, 40, 2]);
  });

  test('written out and read again it is the same', () => {
    const delays = recorded('0 3\n10.25 4\n30 0.001');
    expect(recorded(writeDelays(delays))).toEqual(delays);
    expect(delaysSummary(delays)).toEqual({ count: 3, least_ms: 0.001, most_ms: 4, period_ms: 49.75 });
    expect(delaysSummary(recorded('7')).period_ms).toBe(null);
    expect(delaysOver(recorded('0 3\n10 4\n15 5'), 4)).toEqual([3, 3, 4, 5]);
  });
});

describe('what is wrong is said with its line and value', () => {
  test.each([
    ['', 'there are no delays in it'],
    ['# nothing\n\n', 'there are no delays in it'],
    ['1\nNaN\n', 'line 2: “NaN” is not a number'],
    ['NaN', 'line 1: “NaN” is not a number'],
    ['1\nInfinity', 'line 2: “Infinity” is not a number'],
    ['1\n0x10', 'line 2: “0x10” is not a number'],
    ['1\n1e999', 'line 2: the delay Infinity is not from 0 to 60000 ms'],
    ['1\n-3', 'line 2: the delay -3 is not from 0 to 60000 ms'],
    ['1\n\n60001', 'line 3: the delay 60001 is not from 0 to 60000 ms'],
    ['0,1\n5,1\n5,2', 'line 3: the time 5 is not after the one before it, 5'],
    ['0,1\n5,1\n4,2', 'line 3: the time 4 is not after the one before it, 5'],
    ['0,1\n86400001,1', 'line 2: the time since the first 86400001 is not from 0 to 86400000 ms'],
    ['0,1\n5', 'line 2: has 1 values where the lines before have 2'],
    ['0,1,2', 'line 1: has 3 values, not a delay, or a time and a delay'],
    ['delay\nfast', 'line 2: “fast” is not a number'],
    [`1\n${'x'.repeat(100)}`, `line 2: “${'x'.repeat(40)}” is not a number`],
  ])('%j', (text, sentence) => {
    expect(fault(text)).toBe(sentence);
  });

  test('of ten million lines none is read beyond what may be', () => {
    const text = '1\n'.repeat(10_000_000);
    expect(text.length).toBeGreaterThan(LARGEST_DELAYS_FILE);
    expect(fault(text)).toBe('line 10001: is more than the 10000 delays there may be: keep a part, or only every n-th');
  });

  test('as many as there may be are read, and fit into what a spec may weigh', () => {
    const text = Array.from({ length: LIMITS.recorded_delays.max }, (_, i) => `${i * 10.123456},${i * 3.1}`).join('\n');
    expect(JSON.stringify(recorded(text)).length).toBeLessThan(400_000);
  });
});

describe('the schema', () => {
  const faults = (value: unknown): string[] =>
    (RecordedDelays.safeParse(value).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  test('refuses what is no schedule, at its place', () => {
    expect(faults({ times_ms: [0, 5, 5], delays_ms: [1, 1, 1] })).toEqual([
      'times_ms.2: is not after the one before it',
    ]);
    expect(faults({ times_ms: [0, 1e-7], delays_ms: [1, 1] })).toEqual(['times_ms.1: is not after the one before it']);
    expect(faults({ times_ms: [1], delays_ms: [1] })).toEqual([
      'times_ms.0: must be 0: times count from the first delay',
    ]);
    expect(faults({ times_ms: [0, 1], delays_ms: [1] })).toEqual(['delays_ms: there are 2 times, but 1 delays']);
    expect(faults({ times_ms: [], delays_ms: [] })).not.toEqual([]);
    expect(faults({ times_ms: [0], delays_ms: [NaN] })[0]).toMatch(/^delays_ms\.0: /);
    expect(faults({ times_ms: [0], delays_ms: [-1] })[0]).toMatch(/^delays_ms\.0: /);
    const many = Array.from({ length: 10_001 }, (_, i) => i);
    expect(faults({ times_ms: many, delays_ms: many.map(() => 1) })[0]).toMatch(/^times_ms: /);
  });

  test('they begin anew when the last has held as long as the one before it', () => {
    expect(recordedPeriodMs({ times_ms: [0, 10, 15] })).toBe(20);
  });
});
