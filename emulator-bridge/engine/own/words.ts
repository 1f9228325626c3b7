// Eight-byte fields in the memory of an engine. Whole numbers are read exactly up to 2^53, which no time or size of a run comes near.

const HIGH = 0x1_0000_0000;
const MOST = 2 ** 63;
/** INT64_MIN: unknown. */
const UNKNOWN_HIGH = -0x8000_0000;

/** Views of a memory, made anew when it has grown. */
export class Words {
  readonly #memory: WebAssembly.Memory;
  #u32 = new Uint32Array();
  #i32 = new Int32Array();
  #f64 = new Float64Array();

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  /** Before the others, whenever the engine may have run. */
  look(): void {
    if (this.#u32.buffer === this.#memory.buffer) return;
    this.#u32 = new Uint32Array(this.#memory.buffer);
    this.#i32 = new Int32Array(this.#memory.buffer);
    this.#f64 = new Float64Array(this.#memory.buffer);
  }

  /** NaN: unknown. `at`: of the field, in bytes. */
  whole(at: number): number {
    const place = at >> 2;
    const high = this.#i32[place + 1] ?? 0;
    const low = this.#u32[place] ?? 0;
    return high === UNKNOWN_HIGH && low === 0 ? Number.NaN : high * HIGH + low;
  }

  half(at: number): number {
    return this.#u32[at >> 2] ?? 0;
  }

  double(at: number): number {
    return this.#f64[at >> 3] ?? 0;
  }

  putWhole(at: number, value: number): void {
    const place = at >> 2;
    if (value >= MOST) {
      this.#u32[place] = 0xffff_ffff;
      this.#i32[place + 1] = 0x7fff_ffff;
      return;
    }
    const high = Math.floor(value / HIGH);
    this.#u32[place] = value - high * HIGH;
    this.#i32[place + 1] = high;
  }

  putDouble(at: number, value: number): void {
    this.#f64[at >> 3] = value;
  }
}
