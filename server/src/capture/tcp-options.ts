// Options of a TCP header, each padded to four bytes as Linux pads them.

/** Bytes of a segment that fit into 1500 without any option. */
const LARGEST_SEGMENT = 1460;
export const KIND = { nothing: 1, segment: 2, scale: 3, selective: 4, blocks: 5, timestamps: 8 } as const;

/** `value`: of who sends it; `echo`: of what it answers (RFC 7323). */
export interface Timestamps {
  readonly value: number;
  readonly echo: number;
}

/** Bytes [begin, end), as sequence numbers. */
export interface Block {
  readonly begin: number;
  readonly end: number;
}

const u32 = (value: number): number[] => [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
const timestampsOf = ({ value, echo }: Timestamps): number[] => [KIND.timestamps, 10, ...u32(value), ...u32(echo)];
const segment = [KIND.segment, 4, LARGEST_SEGMENT >> 8, LARGEST_SEGMENT & 0xff];

/** 20 bytes: largest segment, selective acknowledgements, timestamps, window scale. */
export const openingOptions = (timestamps: Timestamps, scale: number): Uint8Array =>
  Uint8Array.of(...segment, KIND.selective, 2, ...timestampsOf(timestamps), KIND.nothing, KIND.scale, 3, scale);

/** 12 bytes: without timestamps, as a whole segment has to fit beside them. */
export const openingWithDataOptions = (scale: number): Uint8Array =>
  Uint8Array.of(...segment, KIND.selective, 2, KIND.scale, 3, scale, KIND.nothing, KIND.nothing, KIND.nothing);

/** 12 bytes, and 4 + 8 n of n blocks (RFC 2018). */
export const segmentOptions = (timestamps: Timestamps, blocks: readonly Block[] = []): Uint8Array =>
  Uint8Array.of(
    KIND.nothing,
    KIND.nothing,
    ...timestampsOf(timestamps),
    ...(blocks.length === 0 ? [] : [KIND.nothing, KIND.nothing, KIND.blocks, 2 + 8 * blocks.length]),
    ...blocks.flatMap(({ begin, end }) => [...u32(begin), ...u32(end)]),
  );
