// What can be said of recorded packets.
import type { Replay } from '#protocol/source';

type Packets = Pick<Replay, 'times_ms' | 'bytes'>;

export const totalBytes = ({ bytes }: Packets): number => bytes.reduce((sum, size) => sum + size, 0);
export const lengthS = ({ times_ms }: Packets): number => (times_ms.at(-1) ?? 0) / 1e3;
