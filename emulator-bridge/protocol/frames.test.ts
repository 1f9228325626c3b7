import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeSamples,
  FRAME_HEADER_BYTES,
  FRAME_KIND_CONTROL,
  FrameError,
  MAX_FRAME_PAYLOAD_BYTES,
  readFrameHeader,
  writeFrameHeader,
} from '#protocol/frames';
import { encodeSamples } from '#protocol/samples';
import { unwrapLiveFrame, wrapLiveFrame } from '#protocol/live';

const header = fc.record({
  payloadBytes: fc.integer({ min: 0, max: MAX_FRAME_PAYLOAD_BYTES }),
  kind: fc.constantFrom(1 as const, 2 as const),
  stream: fc.integer({ min: 0, max: 0xffff }),
  seq: fc.integer({ min: 0, max: 0xffffffff }),
  rows: fc.integer({ min: 0, max: 0xffffffff }),
});

const block = fc
  .record({ rows: fc.integer({ min: 1, max: 40 }), columns: fc.integer({ min: 0, max: 12 }) })
  .chain(({ rows, columns }) =>
    fc.record({
      stream: fc.integer({ min: 0, max: 0xffff }),
      firstRow: fc.integer({ min: 0, max: 1_000_000 }),
      time: fc.float64Array({ minLength: rows, maxLength: rows }),
      columns: fc.array(fc.float32Array({ minLength: rows, maxLength: rows }), {
        minLength: columns,
        maxLength: columns,
      }),
    }),
  );

describe('frame header', () => {
  it('reads back what was written, at any offset', () => {
    fc.assert(
      fc.property(header, fc.integer({ min: 0, max: 9 }), (written, offset) => {
        const view = new DataView(new ArrayBuffer(FRAME_HEADER_BYTES + 9));
        writeFrameHeader(view, written, offset);
        expect(readFrameHeader(view, offset)).toEqual(written);
      }),
    );
  });

  it('refuses another protocol version, another kind and an absurd size', () => {
    const view = new DataView(new ArrayBuffer(FRAME_HEADER_BYTES));
    const good = { payloadBytes: 10, kind: FRAME_KIND_CONTROL, stream: 0, seq: 0, rows: 0 } as const;
    writeFrameHeader(view, good);
    view.setUint8(5, 9);
    expect(() => readFrameHeader(view)).toThrow('version byte is 9');
    writeFrameHeader(view, good);
    view.setUint8(4, 3);
    expect(() => readFrameHeader(view)).toThrow('unknown frame kind 3');
    writeFrameHeader(view, { ...good, payloadBytes: MAX_FRAME_PAYLOAD_BYTES + 1 });
    expect(() => readFrameHeader(view)).toThrow('exceeds the limit');
  });
});

describe('sample frames', () => {
  it('give back the values they were made from, whatever the alignment', () => {
    fc.assert(
      fc.property(block, fc.integer({ min: 0, max: 8 }), ({ stream, firstRow, time, columns }, shift) => {
        const frame = encodeSamples(stream, firstRow, time, columns);
        const moved = new Uint8Array(frame.byteLength + shift);
        moved.set(frame, shift);
        const decoded = decodeSamples(moved.subarray(shift));
        expect(decoded).toEqual({ stream, firstRow, rows: time.length, time, columns });
        // Node's Buffer has a `slice` of its own.
        expect(decodeSamples(Buffer.from(moved.buffer, shift))).toEqual(decoded);
      }),
    );
  });

  it('are refused when cut short or when the rows do not fit', () => {
    const frame = encodeSamples(3, 0, new Float64Array(4), [new Float32Array(4)]);
    expect(() => decodeSamples(frame.subarray(0, frame.byteLength - 1))).toThrow(FrameError);
    new DataView(frame.buffer).setUint32(12, 5, true);
    expect(() => decodeSamples(frame)).toThrow('does not divide into 5 rows');
  });

  it('survive the live prefix without losing their alignment', () => {
    const frame = encodeSamples(17, 5, Float64Array.of(0.25), [Float32Array.of(1.5)]);
    const { subscription, frame: inner } = unwrapLiveFrame(wrapLiveFrame(4_000_000_000, frame));
    expect(subscription).toBe(4_000_000_000);
    expect(inner).toEqual(frame);
    expect((inner.byteOffset + FRAME_HEADER_BYTES) % 8).toBe(0);
    expect(() => unwrapLiveFrame(new Uint8Array(7))).toThrow(FrameError);
  });
});
