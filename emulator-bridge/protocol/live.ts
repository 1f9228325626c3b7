// Binary frames of /api/v1/live: u32 subscription, u32 0, then one telemetry sample frame. The prefix is 8 bytes so that the sample
// columns stay aligned and the page reads them without a copy.
import { FrameError } from '#protocol/frames';

export const LIVE_SUBPROTOCOL = 'paceline.v1';
export const LIVE_PREFIX_BYTES = 8;

export function wrapLiveFrame(subscription: number, frame: Uint8Array): Uint8Array {
  const message = new Uint8Array(LIVE_PREFIX_BYTES + frame.byteLength);
  new DataView(message.buffer).setUint32(0, subscription, true);
  message.set(frame, LIVE_PREFIX_BYTES);
  return message;
}

/** `frame` is a view into `message`: no copy. */
export function unwrapLiveFrame(message: Uint8Array): { readonly subscription: number; readonly frame: Uint8Array } {
  if (message.byteLength < LIVE_PREFIX_BYTES) throw new FrameError('live frame is cut short');
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  return { subscription: view.getUint32(0, true), frame: message.subarray(LIVE_PREFIX_BYTES) };
}
