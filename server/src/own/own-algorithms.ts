// The own algorithms that a data folder keeps: read by the engine before they are taken in, each text once, in versions of its name.
import { hash } from 'node:crypto';
import type { Maker } from '#protocol/access';
import type { CcaDescriptor } from '#protocol/cca';
import {
  MOST_SOURCE_BYTES,
  ownCcaId,
  ownDescriptor,
  type OwnAlgorithm,
  type OwnAlgorithmText,
  type OwnDescription,
} from '#protocol/own-algorithm';
import { ProgramMissing } from '#bridge/programs';
import { AppError } from '../errors.ts';
import type { Helpers } from '../helpers.ts';
import type { Store } from '../store/store.ts';

/** Of one data folder: so many are listed with every question for the algorithms that there are. */
const MOST_KEPT = 1000;
const MOST_KEPT_BYTES = 32 * 2 ** 20;

/** Reads a text as the engine does. */
export type Describe = (text: string, signal?: AbortSignal) => Promise<OwnDescription>;

export class OwnAlgorithms {
  readonly #store: Store;
  readonly #helpers: Helpers;
  readonly #describe: Describe;
  #descriptors: readonly CcaDescriptor[] | null = null;

  constructor(store: Store, helpers: Helpers, describe: Describe) {
    this.#store = store;
    this.#helpers = helpers;
    this.#describe = describe;
  }

  /** Takes a text in. The same text twice is the same version; another one of a name that is there is its next. */
  async add(
    text: string,
    name: string,
    gone?: AbortSignal,
    maker: Maker | null = null,
  ): Promise<{ readonly algorithm: OwnAlgorithm; readonly added: boolean }> {
    const program = hash('sha256', text, 'hex');
    const known = this.#again(ownCcaId(program), program, maker);
    if (known !== null) return { algorithm: known, added: false };
    this.#admit(Buffer.byteLength(text));
    const read = await this.#helpers.run(gone, (signal) => this.#describe(text, signal)).catch(asMissing);
    if (!read.ok) throw refusedAlgorithm(name, read.problem);
    const { declaration } = read;
    return this.#store.transaction(() => {
      const meanwhile = this.#again(ownCcaId(program), program, maker);
      if (meanwhile !== null) return { algorithm: meanwhile, added: false };
      const algorithm = {
        id: ownCcaId(program),
        program,
        declaration,
        version: this.#store.ownAlgorithms.nextVersion(declaration.name),
        created_at: new Date().toISOString(),
      };
      this.#store.ownAlgorithms.insert(algorithm, text);
      this.#store.owners.put('algorithm', algorithm.id, maker);
      this.#descriptors = null;
      return { algorithm, added: true };
    });
  }

  get(id: string): OwnAlgorithm {
    const kept = this.#store.ownAlgorithms.get(id);
    if (kept === null) throw new AppError('ALGORITHM_UNKNOWN', `there is no own algorithm ${id}`, { where: id });
    if (kept.deleted_at !== null)
      throw new AppError('DELETED', `${nameOf(kept.algorithm)} was deleted`, {
        where: id,
        hint: `POST /api/v1/algorithms/${id}/restore brings it back, and so does sending its text again.`,
      });
    return kept.algorithm;
  }

  withText(id: string): OwnAlgorithmText {
    const algorithm = this.get(id);
    return { ...algorithm, text: this.text(algorithm.program) ?? '' };
  }

  /** By the hash of its bytes: what runs are made with, also of what was deleted meanwhile. */
  text(program: string): string | null {
    return this.#store.ownAlgorithms.text(program);
  }

  /** The newest first. */
  list(): OwnAlgorithm[] {
    return this.#store.ownAlgorithms.list().flatMap((kept) => (kept.deleted_at === null ? [kept.algorithm] : []));
  }

  /** As they stand in the list of algorithms, all versions; the same array until something changes. */
  readonly descriptors = (): readonly CcaDescriptor[] => {
    this.#descriptors ??= described(this.list());
    return this.#descriptors;
  };

  isDeleted(id: string): boolean {
    return (this.#store.ownAlgorithms.get(id)?.deleted_at ?? null) !== null;
  }

  deletedBefore(at: string): string[] {
    return this.#store.ownAlgorithms
      .list()
      .flatMap(({ algorithm, deleted_at }) => (deleted_at !== null && deleted_at <= at ? [algorithm.id] : []));
  }

  delete(id: string, at: string): void {
    this.#store.ownAlgorithms.setDeleted(id, at);
    this.#descriptors = null;
  }

  restore(id: string): void {
    this.#store.ownAlgorithms.setDeleted(id, null);
    this.#descriptors = null;
  }

  /** For good. */
  remove(id: string): void {
    this.#store.ownAlgorithms.remove(id);
    this.#descriptors = null;
  }

  /** What is kept already, or was deleted and is there again. */
  #again(id: string, program: string, maker: Maker | null): OwnAlgorithm | null {
    const kept = this.#store.ownAlgorithms.get(id);
    if (kept === null) return null;
    if (kept.algorithm.program !== program)
      throw new AppError('ALGORITHM_REFUSED', `another text is known as ${id} already`, { where: id });
    if (kept.deleted_at !== null) {
      this.#store.owners.put('algorithm', id, maker);
      this.restore(id);
    }
    return kept.algorithm;
  }

  #admit(bytes: number): void {
    if (bytes > MOST_SOURCE_BYTES) throw tooLong();
    const kept = this.#store.ownAlgorithms.size();
    if (kept.count < MOST_KEPT && kept.bytes + bytes <= MOST_KEPT_BYTES) return;
    throw new AppError(
      'QUOTA_EXCEEDED',
      `a data folder keeps ${MOST_KEPT} own algorithms and ${MOST_KEPT_BYTES / 2 ** 20} MiB of their texts at most`,
      { hint: 'Delete versions that no experiment needs; after 24 hours their room is free.' },
    );
  }
}

/** Only here: where it is missing at a run, the run says so. */
function asMissing(error: unknown): never {
  if (!(error instanceof ProgramMissing)) throw error;
  throw new AppError('ENGINE_MISSING', error.message, {}, { cause: error });
}

/** As people call it. */
export const nameOf = ({ declaration, version }: OwnAlgorithm): string => `“${declaration.name}”, version ${version}`;

const tooLong = (): AppError =>
  new AppError('UPLOAD_TOO_LARGE', `the text of an own algorithm has at most ${MOST_SOURCE_BYTES / 1024} KiB`);

/** A text that is no algorithm, with its line and column where they are known. */
export function refusedAlgorithm(
  name: string,
  { message, at }: { readonly message: string; readonly at: { readonly line: number; readonly column: number } | null },
): AppError {
  return new AppError('ALGORITHM_REFUSED', message, { where: at === null ? name : `${at.line}:${at.column}` });
}

function described(all: readonly OwnAlgorithm[]): CcaDescriptor[] {
  const newest = new Map<string, number>();
  for (const { declaration, version } of all)
    newest.set(declaration.name, Math.max(version, newest.get(declaration.name) ?? 0));
  return all.map(({ program, declaration, version }) =>
    ownDescriptor(program, declaration, { number: version, newest: newest.get(declaration.name) === version }),
  );
}
