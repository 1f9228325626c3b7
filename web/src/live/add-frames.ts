// Telemetry frames one after the other, as the API gives them, into a store.
import { ControlFrame } from '#protocol/control';
import { decodeSamples, FRAME_HEADER_BYTES, FRAME_KIND_CONTROL, readFrameHeader } from '#protocol/frames';
import type { SampleStore } from './sample-store';

export function addFrames(store: SampleStore, frames: Uint8Array): void {
  const view = new DataView(frames.buffer, frames.byteOffset, frames.byteLength);
  const text = new TextDecoder();
  for (let at = 0; at < frames.byteLength;) {
    const { kind, seq, payloadBytes } = readFrameHeader(view, at);
    const frame = frames.subarray(at, (at += FRAME_HEADER_BYTES + payloadBytes));
    if (kind === FRAME_KIND_CONTROL)
      store.addControl(seq, ControlFrame.parse(JSON.parse(text.decode(frame.subarray(FRAME_HEADER_BYTES)))));
    else store.addSamples(decodeSamples(frame));
  }
}
