import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRAME_HEADER_BYTES, FrameError } from '#protocol/frames';
import { encodeControl, encodeSamples } from '#protocol/samples';
import { FrameDecoder } from './frame-decoder.ts';

const frame = fc.oneof(
  fc.tuple(fc.nat(1000), fc.string()).map(([seq, text]) => encodeControl(seq, { text })),
  fc
    .tuple(fc.nat(0xffff), fc.nat(1000), fc.integer({ min: 1, max: 50 }))
    .map(([stream, seq, rows]) => encodeSamples(stream, seq, new Float64Array(rows).fill(seq), [])),
);

/** Cuts `bytes` into chunks of the given sizes, over and over. */
function* chunked(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, i = 0; at < bytes.byteLength; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

describe('FrameDecoder', () => {
  it('gives the same frames however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 }),
        (frames, sizes) => {
          const decoder = new FrameDecoder();
          const found: Buffer[] = [];
          for (const chunk of chunked(Buffer.concat(frames), sizes))
            // Copied at once: a frame may be a view into its chunk.
            for (const { bytes } of decoder.push(chunk)) found.push(Buffer.from(bytes));
          expect(found).toEqual(frames.map((bytes) => Buffer.from(bytes)));
          expect(decoder.pendingBytes).toBe(0);
        },
      ),
    );
  });

  it('knows that a frame was cut off', () => {
    fc.assert(
      fc.property(frame, fc.nat(), (bytes, cut) => {
        const decoder = new FrameDecoder();
        const kept = 1 + (cut % (bytes.byteLength - 1));
        expect([...decoder.push(bytes.subarray(0, kept))]).toEqual([]);
        expect(decoder.pendingBytes).toBe(kept);
      }),
    );
  });

  it('never takes rubbish for a frame: it refuses it or waits for more', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: FRAME_HEADER_BYTES, maxLength: 400 }),
        fc.integer({ min: 1, max: 64 }),
        (rubbish, size) => {
          // The version byte decides; bytes that happen to be a header are no rubbish.
          rubbish[5] = 77;
          const decoder = new FrameDecoder();
          expect(() => {
            for (const chunk of chunked(rubbish, [size])) expect([...decoder.push(chunk)]).toEqual([]);
          }).toThrow(FrameError);
        },
      ),
    );
  });
});
