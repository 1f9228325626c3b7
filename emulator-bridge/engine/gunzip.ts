// gzip, unpacked by what browsers and Node have for it.

export interface Unpacked {
  readonly pieces: readonly Uint8Array[];
  /** `cut`: the file ends in the middle. */
  readonly end: 'whole' | 'cut' | 'damaged';
}

/** Handed in so many bytes at a time: what is damaged is then told from what is cut. */
const PIECE = 1 << 16;

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** What is in it until it ends, is damaged, or is more than `most` bytes. */
export async function gunzip(bytes: Uint8Array<ArrayBuffer>, most: number): Promise<Unpacked> {
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  const told = { all: false };
  const handIn = async (): Promise<void> => {
    for (let at = 0; at < bytes.byteLength; at += PIECE) await writer.write(bytes.subarray(at, at + PIECE));
    told.all = true;
    await writer.close();
  };
  const handedIn = handIn().catch(() => undefined);
  const reader = readable.getReader();
  const pieces: Uint8Array[] = [];
  try {
    for (let size = 0; size <= most;) {
      const { done, value } = await reader.read();
      if (done) return { pieces, end: 'whole' };
      pieces.push(value);
      size += value.byteLength;
    }
    await reader.cancel();
    return { pieces, end: 'whole' };
  } catch {
    await handedIn;
    return { pieces, end: told.all ? 'cut' : 'damaged' };
  }
}
