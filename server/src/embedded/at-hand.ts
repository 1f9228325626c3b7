// What a program that runs the engine itself has told: algorithms, traces, weights.
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import type { AtHand } from '#analysis/expand-asked';
import { countsOf } from '#analysis/trace-counts';
import type { TraceRecord } from '#protocol/api';
import { EngineListing } from '#protocol/cca';
import { TraceInfo } from '#protocol/trace';
import type { WeightsRecord } from '#protocol/weights';
import { aboutShipped, shippedTraces } from '../traces/shipped.ts';

const unpack = promisify(gunzip);

/** A trace that is not one of the library: what `paceline-trace info` says of it, and where it lies. */
export const OwnTrace = z.object({ name: z.string(), file: z.string(), info: TraceInfo, spark: z.array(z.number()) });
export type OwnTrace = z.infer<typeof OwnTrace>;

export const Told = z.object({
  listing: EngineListing,
  /** The folder of the shipped traces. */
  library: z.string(),
});

export class Desk {
  readonly #engine: EngineListing;
  readonly #traces: readonly TraceRecord[];
  readonly #files: ReadonlyMap<string, string>;

  private constructor(engine: EngineListing, traces: readonly TraceRecord[], files: ReadonlyMap<string, string>) {
    this.#engine = engine;
    this.#traces = traces;
    this.#files = files;
  }

  static async of({ listing, library }: z.infer<typeof Told>): Promise<Desk> {
    const created_at = new Date(0).toISOString();
    const shipped = await shippedTraces(library);
    const traces = shipped.map((trace): TraceRecord => ({
      ...aboutShipped(trace),
      id: trace.info.sha256,
      created_at,
      info: trace.info,
      spark: trace.spark,
    }));
    const files = shipped.map(({ info, file }) => [info.sha256, `${library}/${file}`] as const);
    return new Desk(listing, traces, new Map(files));
  }

  get engine(): EngineListing {
    return this.#engine;
  }
  get shipped(): readonly TraceRecord[] {
    return this.#traces;
  }

  /** The same with traces and weights of a spec's own. */
  with(own: readonly OwnTrace[], weights: readonly WeightsRecord[]): AtHand {
    const added = own.map(({ name, info, spark }): TraceRecord => ({
      id: info.sha256,
      name,
      origin: 'file',
      description: '',
      licence: '',
      source: '',
      technology: '',
      place: '',
      formerly: [],
      created_at: new Date(0).toISOString(),
      info,
      spark,
    }));
    const known = new Set(this.#traces.map(({ id }) => id));
    const files = new Map([...this.#files, ...own.map(({ info, file }) => [info.sha256, file] as const)]);
    return {
      engine: this.#engine,
      traces: [...this.#traces, ...added.filter(({ id }) => !known.has(id))],
      weights,
      counts: async (id) => {
        const file = files.get(id);
        if (file === undefined) throw new Error(`no file of trace ${id} was told`);
        const bytes = await readFile(file);
        return countsOf((file.endsWith('.gz') ? await unpack(bytes) : bytes).toString('utf8'));
      },
    };
  }
}
