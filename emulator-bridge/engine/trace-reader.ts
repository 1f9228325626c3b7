// The reader of traces as WebAssembly (native/drivers/wasm_trace): for Node and for workers of the page alike, so it takes nothing of
// either. It says of a file what `paceline-trace info` says.
import { z } from 'zod';
import { TraceForm, TraceProblem, TraceReport, type SourceChoices } from '#protocol/trace';
import { gunzip, isGzip } from './gunzip.ts';

/** What a file may become. */
export interface ReaderLimits {
  readonly fileBytes: number;
  /** Of a packed file. */
  readonly unpackedBytes: number;
  /** Times its own size that a packed file may become, from 64 MiB on. */
  readonly unpackedRatio: number;
  /** Of the canonical text. */
  readonly storedBytes: number;
  readonly ms: number;
}

const MIB = 2 ** 20;

/** A page's: it holds the file, the text and what is unpacked at once. */
export const READER_LIMITS: ReaderLimits = {
  fileBytes: 256 * MIB,
  unpackedBytes: 512 * MIB,
  unpackedRatio: 500,
  storedBytes: 256 * MIB,
  ms: 60_000,
};

export interface ReadOptions {
  /** What the file does not say of itself; absent: what it looks like. */
  readonly choices?: SourceChoices | undefined;
  /** Bins of the preview (1000). */
  readonly bins?: number | undefined;
  /** Part of the trace that the preview shows; the statistics are those of the whole. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** With autocorrelation, outages and falls. */
  readonly dynamics?: boolean | undefined;
  /** By a model: not searched for the faults of recordings. */
  readonly made?: boolean | undefined;
}

export type TraceReading =
  /** `text`: canonical (docs/traces.md), whose SHA-256 is `report.info.sha256`. */
  | { readonly ok: true; readonly report: TraceReport; readonly text: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly problem: TraceProblem };

export interface TraceReader {
  /** A file of any known form, plain or packed with gzip. Never rejects for what is wrong with it. */
  read(bytes: Uint8Array<ArrayBuffer>, options?: ReadOptions): Promise<TraceReading>;
  /** The forms that are read, in the order in which a file is asked whether it is one. */
  forms(): TraceForm[];
}

export async function createTraceReader(
  source: Uint8Array<ArrayBuffer> | WebAssembly.Module,
  limits: ReaderLimits = READER_LIMITS,
): Promise<TraceReader> {
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  return {
    read: async (bytes, options = {}) => reading(module, bytes, options, limits),
    forms: () => {
      const instance = new Instance(module, NOTHING_TO_READ, Infinity);
      return z.array(TraceForm).parse(JSON.parse(instance.forms()));
    },
  };
}

interface Input {
  readonly file: Uint8Array;
  readonly unpacked: Bytes;
}

/** Pieces as if they were one. What is asked for goes on where the last ended, or begins again. */
class Bytes {
  readonly #pieces: readonly Uint8Array[];
  #piece = 0;
  #before = 0;

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
  }

  copy(at: number, into: Uint8Array): number {
    if (at < this.#before) this.#piece = this.#before = 0;
    for (let piece = this.#pieces[this.#piece]; piece !== undefined; piece = this.#pieces[++this.#piece]) {
      if (at < this.#before + piece.byteLength) {
        const part = piece.subarray(at - this.#before, at - this.#before + into.byteLength);
        into.set(part);
        return part.byteLength;
      }
      this.#before += piece.byteLength;
    }
    return 0;
  }
}

const NOTHING_TO_READ: Input = { file: new Uint8Array(), unpacked: new Bytes([]) };

const BAD_INPUT = 2;

/** The module said what is wrong. Its instance is of no more use. */
class Refused extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

class TooLate extends Error {}

const problem = (code: string, message: string, hint: string | null): TraceReading => ({
  ok: false,
  problem: { code, line: null, text: null, message, hint },
});

async function reading(
  module: WebAssembly.Module,
  file: Uint8Array<ArrayBuffer>,
  options: ReadOptions,
  limits: ReaderLimits,
): Promise<TraceReading> {
  if (file.byteLength > limits.fileBytes)
    return problem('too_big', `the file is larger than ${limits.fileBytes / MIB} MiB`, 'Cut the recording.');
  const packed = isGzip(file);
  // One piece more than may be: the module is who refuses it.
  const most = Math.min(limits.unpackedBytes, Math.max(64 * MIB, limits.unpackedRatio * file.byteLength)) + MIB;
  const unpacked = packed ? await gunzip(file, most) : null;
  const asked = {
    ...options.choices,
    options: options.choices?.options ?? {},
    bins: options.bins,
    from_ms: options.fromMs,
    to_ms: options.toMs,
    dynamics: options.dynamics,
    made: options.made,
    file_bytes: file.byteLength,
    unpacked: unpacked?.end,
    unpacked_size: unpacked?.pieces.reduce((size, { byteLength }) => size + byteLength, 0),
    unpacked_bytes: limits.unpackedBytes,
    unpacked_ratio: limits.unpackedRatio,
    stored_bytes: limits.storedBytes,
  };
  try {
    const input = { file, unpacked: new Bytes(unpacked?.pieces ?? []) };
    const instance = new Instance(module, input, performance.now() + limits.ms);
    const report = instance.read(JSON.stringify(asked));
    return { ok: true, report: TraceReport.parse(JSON.parse(report)), text: instance.text() };
  } catch (error) {
    return refusal(error, limits);
  }
}

function refusal(error: unknown, limits: ReaderLimits): TraceReading {
  if (error instanceof TooLate)
    return problem('too_slow', `it was not read within ${limits.ms / 1000} s`, 'Cut the recording.');
  if (error instanceof Refused) {
    if (error.exitCode === BAD_INPUT) return { ok: false, problem: TraceProblem.parse(JSON.parse(error.message)) };
    return problem('too_long', error.message, 'Cut it to what is needed.');
  }
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError)
    return problem('crashed', `the reader stopped: ${error.message}`, null);
  throw error;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly _initialize: () => void;
  readonly alloc: (size: number) => number;
  readonly forms: () => void;
  readonly read: (asked: number, size: number) => void;
}

/** WASI's ENOTSUP. */
const NOT_SUPPORTED = 58;

/** One instance of the module, for one file. */
class Instance {
  readonly #exports: Exports;
  readonly #texts: Uint8Array[] = [];
  #told = '';

  constructor(module: WebAssembly.Module, { file, unpacked }: Input, deadline: number) {
    // The C library would ask for the environment, and close, seek and write files; there are none.
    const none = (): number => NOT_SUPPORTED;
    const inTime = (): void => {
      if (performance.now() > deadline) throw new TooLate();
    };
    const plain = new Bytes([file]);
    const from =
      (bytes: Bytes) =>
      (at: number, pointer: number, room: number): number => {
        inTime();
        return bytes.copy(at >>> 0, this.#bytes(pointer, room));
      };
    const { exports } = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: {
        environ_get: none,
        environ_sizes_get: none,
        fd_close: none,
        fd_seek: none,
        fd_write: none,
        proc_exit: (code: number) => {
          throw new Refused(`the reader ended with ${code}`, 1);
        },
      },
      paceline: {
        file: from(plain),
        unpacked: from(unpacked),
        text: (pointer: number, size: number) => {
          inTime();
          this.#texts.push(this.#bytes(pointer, size).slice());
        },
        write: (pointer: number, size: number) => {
          this.#told = this.#word(pointer, size);
        },
        fail: (pointer: number, size: number, exitCode: number) => {
          throw new Refused(this.#word(pointer, size), exitCode);
        },
      },
    });
    this.#exports = exports as unknown as Exports;
    this.#exports._initialize();
  }

  forms(): string {
    this.#exports.forms();
    return this.#told;
  }

  read(asked: string): string {
    const text = new TextEncoder().encode(asked);
    const at = this.#exports.alloc(text.byteLength);
    this.#bytes(at, text.byteLength).set(text);
    this.#exports.read(at, text.byteLength);
    return this.#told;
  }

  /** The canonical text of what was read. */
  text(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.#texts.reduce((size, { byteLength }) => size + byteLength, 0));
    let at = 0;
    for (const part of this.#texts) {
      whole.set(part, at);
      at += part.byteLength;
    }
    return whole;
  }

  #word(pointer: number, size: number): string {
    return new TextDecoder().decode(this.#bytes(pointer, size));
  }

  #bytes(pointer: number, size: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, pointer >>> 0, size >>> 0);
  }
}
