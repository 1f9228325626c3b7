import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import type { BpfObject } from '#bridge/bpf';
import { listCcas } from '#bridge/ccas';
import { SETUP_COMMAND } from '#bridge/programs';
import { AppError } from './errors.ts';
import { withExternal, type ConfiguredProgram } from './external-programs.ts';

/** What the native programs can do, asked once, with the own algorithms that are kept, which may be others every time. While they cannot be used, every question says why. */
export class Engine {
  readonly #bpf: readonly BpfObject[];
  readonly #external: readonly ConfiguredProgram[];
  readonly #own: () => readonly CcaDescriptor[];
  #listing: EngineListing | null = null;
  #whole: { readonly own: readonly CcaDescriptor[]; readonly listing: EngineListing } | null = null;

  /** `bpf`, `external`: what the operator has set up beside what the programs can do themselves; `own`: the same array until another is kept. */
  constructor(bpf: readonly BpfObject[], external: readonly ConfiguredProgram[], own: () => readonly CcaDescriptor[]) {
    this.#bpf = bpf;
    this.#external = external;
    this.#own = own;
  }

  get version(): string | null {
    return this.#listing?.engine_version ?? null;
  }

  /** What was told last; null: nobody has asked, or it cannot be used. */
  get known(): EngineListing | null {
    return this.#whole?.listing ?? this.#listing;
  }

  async listing(): Promise<EngineListing> {
    const native = await this.#native();
    const own = this.#own();
    if (this.#whole?.own !== own) this.#whole = { own, listing: { ...native, ccas: [...native.ccas, ...own] } };
    return this.#whole.listing;
  }

  async #native(): Promise<EngineListing> {
    if (this.#listing !== null) return this.#listing;
    try {
      this.#listing = withExternal(await listCcas(this.#bpf), this.#external);
      return this.#listing;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw new AppError(
        'ENGINE_MISSING',
        detail,
        { hint: `Run \`${SETUP_COMMAND}\`, then try again.` },
        { cause: error },
      );
    }
  }
}
