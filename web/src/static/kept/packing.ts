// What the database keeps is packed as the site's files are.

const through = async (
  bytes: BlobPart[],
  by: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(new Blob(bytes).stream().pipeThrough(by)).arrayBuffer());

export const packed = (...parts: Uint8Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>> =>
  through(parts, new CompressionStream('gzip'));

export const unpacked = (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  through([bytes], new DecompressionStream('gzip'));
