/** Shards that cannot be merged, in a sentence. */
export class MergeFault extends Error {
  override readonly name = 'MergeFault';
  /** Whoever asked is told the sentence alone. */
  readonly code = 'MERGE_FAULT';
}
