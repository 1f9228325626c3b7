import type { EngineListing } from '#protocol/cca';
import type { BpfObject } from '#bridge/bpf';
import { listCcas } from '#bridge/ccas';
import { AppError } from './errors.ts';

/** What the native programs can do, asked once. While they cannot be used, every question says why. */
export class Engine {
  readonly #bpf: readonly BpfObject[];
  #listing: EngineListing | null = null;

  constructor(bpf: readonly BpfObject[]) {
    this.#bpf = bpf;
  }

  get version(): string | null {
    return this.#listing?.engine_version ?? null;
  }

  async listing(): Promise<EngineListing> {
    if (this.#listing !== null) return this.#listing;
    try {
      this.#listing = await listCcas(this.#bpf);
      return this.#listing;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw new AppError('ENGINE_MISSING', detail, { hint: 'Run `npm run setup`, then try again.' }, { cause: error });
    }
  }
}
