import { copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Maker } from '#protocol/access';
import type { WeightsInfo, WeightsRecord } from '#protocol/weights';
import type { FindWeights } from '#analysis/check-params';
import { inspectWeights, WeightsRefused } from '#bridge/weights';
import { AppError } from '../errors.ts';
import type { Helpers } from '../helpers.ts';
import { damaged, damageOf } from './stored-file.ts';
import type { Store } from '../store/store.ts';

/** Of weights only this is said: when they were deleted, by their ids. */
const DELETED = 'deleted_weights';
const Deleted = z.record(z.string(), z.string());

/** The weights files that parameters may name: the files where the native programs find them, what is in them in the store. */
export class WeightsService {
  readonly #store: Store;
  readonly #dir: string;
  readonly #helpers: Helpers;

  constructor(store: Store, dir: string, helpers: Helpers) {
    this.#helpers = helpers;
    this.#store = store;
    this.#dir = dir;
  }

  /** Takes a file in. The same content twice is the same weights. */
  async add(
    file: string,
    name: string,
    gone?: AbortSignal,
    maker: Maker | null = null,
  ): Promise<{ record: WeightsRecord; added: boolean }> {
    const inspect = (signal: AbortSignal): Promise<WeightsInfo> => inspectWeights(file, signal);
    const info = await this.#helpers.run(gone, inspect).catch((error: unknown) => {
      throw error instanceof WeightsRefused ? new AppError('WEIGHTS_REFUSED', error.message, { where: name }) : error;
    });
    const record = { id: info.sha256, created_at: new Date().toISOString(), info };
    const target = this.path(record.id);
    const unfinished = `${target}.${process.pid}`;
    try {
      await copyFile(file, unfinished);
      await rename(unfinished, target);
    } finally {
      await rm(unfinished, { force: true });
    }
    const wasDeleted = this.isDeleted(record.id);
    this.restore(record.id);
    const added = this.#store.weights.insert(record);
    if (added || wasDeleted) this.#store.owners.put('weights', record.id, maker);
    return { record: added ? record : this.get(record.id), added };
  }

  get(id: string): WeightsRecord {
    const record = this.#store.weights.get(id);
    if (record === null) throw new AppError('WEIGHTS_UNKNOWN', `there is no weights file ${id}`, { where: id });
    if (this.isDeleted(id))
      throw new AppError('DELETED', `the weights file ${record.info.name} was deleted`, {
        where: id,
        hint: `POST /api/v1/weights/${id}/restore brings it back, and so does uploading it again.`,
      });
    return record;
  }

  #deleted(): z.infer<typeof Deleted> {
    return this.#store.settings.get(DELETED, Deleted) ?? {};
  }

  isDeleted(id: string): boolean {
    return id in this.#deleted();
  }

  deletedBefore(at: string): string[] {
    return Object.entries(this.#deleted()).flatMap(([id, deleted]) => (deleted <= at ? [id] : []));
  }

  delete(id: string, at: string): void {
    this.#store.settings.set(DELETED, { ...this.#deleted(), [id]: at });
  }

  restore(id: string): void {
    const { [id]: at, ...others } = this.#deleted();
    if (at !== undefined) this.#store.settings.set(DELETED, others);
  }

  /** For good, with its file. */
  async remove(id: string): Promise<void> {
    this.#store.weights.remove(id);
    this.restore(id);
    await rm(this.path(id), { force: true });
  }

  list(): WeightsRecord[] {
    const deleted = this.#deleted();
    return this.#store.weights.list().filter(({ id }) => !(id in deleted));
  }

  path(id: string): string {
    return join(this.#dir, `${id}.weights.json`);
  }

  /** The same, of a file that is there and whole. */
  async file(id: string): Promise<string> {
    const { info } = this.get(id);
    const path = this.path(id);
    const damage = await damageOf(path, id);
    if (damage !== null) throw damaged(info.name, damage, id, 'Upload it again: the same content puts the file back.');
    return path;
  }

  readonly find: FindWeights = (id) => (this.isDeleted(id) ? undefined : this.#store.weights.get(id)?.info);
}
