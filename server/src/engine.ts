import type { EngineListing } from '#protocol/cca';
import { listCcas } from '#bridge/ccas';
import { AppError } from './errors.ts';

/** What the native programs can do, asked once. While they cannot be used, every question says why. */
export class Engine {
  #listing: EngineListing | null = null;

  get version(): string | null {
    return this.#listing?.engine_version ?? null;
  }

  async listing(): Promise<EngineListing> {
    if (this.#listing !== null) return this.#listing;
    try {
      this.#listing = await listCcas();
      return this.#listing;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw new AppError('ENGINE_MISSING', detail, { hint: 'Run `npm run setup`, then try again.' }, { cause: error });
    }
  }
}
