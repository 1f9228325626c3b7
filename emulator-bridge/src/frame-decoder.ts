import { FRAME_HEADER_BYTES, readFrameHeader, type FrameHeader } from '#protocol/frames';

export interface Frame {
  readonly header: FrameHeader;
  /** Header and payload. May be a view into the chunk it came in: copy what must outlive the next turn. */
  readonly bytes: Uint8Array;
}

export const payloadOf = (frame: Frame): Uint8Array => frame.bytes.subarray(FRAME_HEADER_BYTES);

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Cuts a child's stdout into frames, however the pipe cuts it into chunks. Throws FrameError on bytes that are no frame. */
export class FrameDecoder {
  readonly #head = new Uint8Array(FRAME_HEADER_BYTES);
  #headFilled = 0;
  #header: FrameHeader | null = null;
  /** The frame being put together from several chunks; allocated once, when its header is known. */
  #frame: Uint8Array = this.#head;
  #filled = 0;

  /** Bytes of a frame that has begun but not ended; 0 between frames. */
  get pendingBytes(): number {
    return this.#header === null ? this.#headFilled : this.#filled;
  }

  *push(chunk: Uint8Array): Generator<Frame> {
    let at = 0;
    while (at < chunk.byteLength) {
      const left = chunk.byteLength - at;
      if (this.#header !== null) {
        at += this.#fill(chunk.subarray(at));
        if (this.#filled === this.#frame.byteLength) yield this.#complete(this.#header);
      } else if (this.#headFilled === 0 && left >= FRAME_HEADER_BYTES) {
        const header = readFrameHeader(viewOf(chunk), at);
        const size = FRAME_HEADER_BYTES + header.payloadBytes;
        if (size <= left) {
          yield { header, bytes: chunk.subarray(at, at + size) };
          at += size;
        } else {
          this.#begin(header);
        }
      } else {
        const part = chunk.subarray(at, at + FRAME_HEADER_BYTES - this.#headFilled);
        this.#head.set(part, this.#headFilled);
        this.#headFilled += part.byteLength;
        at += part.byteLength;
        if (this.#headFilled === FRAME_HEADER_BYTES) {
          const header = readFrameHeader(viewOf(this.#head));
          this.#begin(header);
          this.#fill(this.#head);
          if (header.payloadBytes === 0) yield this.#complete(header);
        }
      }
    }
  }

  #begin(header: FrameHeader): void {
    this.#header = header;
    this.#frame = new Uint8Array(FRAME_HEADER_BYTES + header.payloadBytes);
    this.#filled = 0;
  }

  #fill(bytes: Uint8Array): number {
    const part = bytes.subarray(0, this.#frame.byteLength - this.#filled);
    this.#frame.set(part, this.#filled);
    this.#filled += part.byteLength;
    return part.byteLength;
  }

  #complete(header: FrameHeader): Frame {
    const bytes = this.#frame;
    this.#header = null;
    this.#headFilled = 0;
    this.#frame = this.#head;
    this.#filled = 0;
    return { header, bytes };
  }
}
