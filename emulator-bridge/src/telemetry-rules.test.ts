import { describe, expect, it } from 'vitest';
import { encodeControl, encodeSamples } from '#protocol/samples';
import { FrameDecoder } from './frame-decoder.ts';
import { TelemetryRules } from './telemetry-rules.ts';
import { HELLO, linkRows, wholeRun } from './testing/fake-programs.ts';

function check(frames: readonly Uint8Array[]): TelemetryRules {
  const rules = new TelemetryRules();
  const decoder = new FrameDecoder();
  for (const frame of decoder.push(Buffer.concat(frames))) rules.check(frame);
  return rules;
}
const hello = encodeControl(0, HELLO);

describe('TelemetryRules', () => {
  it('accept a whole run', () => {
    const rules = check(wholeRun(40));
    expect(rules.ended).toBe(true);
    expect(rules.hello).toEqual(HELLO);
  });

  it.each([
    ['samples before hello', [linkRows(0, 3)], 'which `hello` did not announce'],
    ['events before hello', [encodeControl(0, { type: 'progress', time_s: 0 })], '`progress` before `hello`'],
    ['a missing row', [hello, linkRows(0, 3), linkRows(4, 3)], 'stream 0 goes on at row 4, row 3 was due'],
    ['a repeated row', [hello, linkRows(0, 3), linkRows(2, 3)], 'row 2, row 3 was due'],
    ['an unknown stream', [hello, linkRows(0, 3, 9)], 'samples of stream 9'],
    ['a missing column', [hello, encodeSamples(0, 0, new Float64Array(2), [new Float32Array(2)])], 'has 1 columns'],
    ['samples of no rows', [hello, encodeSamples(0, 0, new Float64Array(0), [])], 'do not divide into 0 rows'],
    ['a lost control frame', [hello, encodeControl(2, { type: 'progress', time_s: 0 })], 'frame 2 where 1 was due'],
    ['a second hello', [hello, encodeControl(1, HELLO)], 'a second `hello`'],
    ['another protocol', [encodeControl(0, { ...HELLO, protocol: 9 })], 'speaks protocol 9'],
    ['an unknown frame', [hello, encodeControl(1, { type: 'gossip' })], 'an unknown control frame'],
    ['a frame with a wrong field', [encodeControl(0, { ...HELLO, streams: 'none' })], 'streams'],
    ['anything after end', [hello, encodeControl(1, { type: 'end', time_s: 1 }), linkRows(0, 1)], 'after `end`'],
  ])('refuse %s', (_, frames, reason) => {
    expect(() => check(frames)).toThrow(reason);
  });

  it('refuse a control frame that is not JSON', () => {
    const frame = encodeControl(0, HELLO);
    frame.fill('x'.charCodeAt(0), 16);
    expect(() => check([frame])).toThrow('not JSON: xxxx');
  });
});
