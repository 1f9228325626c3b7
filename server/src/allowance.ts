/** How much may still be taken in: by a data folder, or of one person. */
export interface Allowance {
  /** Bytes; Infinity: without a bound. */
  left(): Promise<number>;
  /** Refuses what there is no room for. `exactly`: when so many at most may be too many, how many it is takes a while to tell. */
  admit(bytes: number, exactly?: () => Promise<number>): Promise<void>;
  /** What else comes of the same person waits until this is given back: else all of it would be admitted into the same room. */
  turn(): Promise<() => void>;
}

/** Does `work`, which takes so many bytes in, when there is room for it. */
export async function takeIn<T>(allowance: Allowance, bytes: number, work: () => T | Promise<T>): Promise<T> {
  const giveBack = await allowance.turn();
  try {
    await allowance.admit(bytes);
    return await work();
  } finally {
    giveBack();
  }
}
