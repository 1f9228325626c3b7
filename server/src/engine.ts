import type { EngineListing } from '#protocol/cca';
import type { BpfObject } from '#bridge/bpf';
import { listCcas } from '#bridge/ccas';
import { AppError } from './errors.ts';
import { withExternal, type ConfiguredProgram } from './external-programs.ts';

/** What the native programs can do, asked once. While they cannot be used, every question says why. */
export class Engine {
  readonly #bpf: readonly BpfObject[];
  readonly #external: readonly ConfiguredProgram[];
  #listing: EngineListing | null = null;

  /** `bpf`, `external`: what the operator has set up beside what the programs can do themselves. */
  constructor(bpf: readonly BpfObject[], external: readonly ConfiguredProgram[]) {
    this.#bpf = bpf;
    this.#external = external;
  }

  get version(): string | null {
    return this.#listing?.engine_version ?? null;
  }

  async listing(): Promise<EngineListing> {
    if (this.#listing !== null) return this.#listing;
    try {
      this.#listing = withExternal(await listCcas(this.#bpf), this.#external);
      return this.#listing;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw new AppError('ENGINE_MISSING', detail, { hint: 'Run `npm run setup`, then try again.' }, { cause: error });
    }
  }
}
