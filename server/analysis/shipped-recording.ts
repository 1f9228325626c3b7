// Of what is shipped, some traces are made from recipes and some were recorded or simulated by others.
import type { TraceRecord } from '#protocol/api';

/** With which the source of the latter begins. */
const SHIPPED_RECORDINGS = 'traces/recordings/';

export const isShippedRecording = ({ origin, source }: Pick<TraceRecord, 'origin' | 'source'>): boolean =>
  origin === 'library' && source.startsWith(SHIPPED_RECORDINGS);
