// Authors change what they have made; whose something is, everybody is told.
import type { Response } from 'express';
import { isMaker, type Maker, type OwnedKind } from '#protocol/access';
import { AppError } from '../errors.ts';
import type { OwnerStore } from '../store/owners.ts';
import { callerOf } from './callers.ts';

/** What an address changes: the object, and which of its places names it. */
export interface Owned {
  readonly kind: OwnedKind | 'run';
  readonly by?: 'id' | 'slug' | 'measurement';
}

const WORDS: Readonly<Record<Owned['kind'], string>> = {
  experiment: 'this experiment',
  run: 'the experiment that this run belongs to',
  trace: 'this trace',
  weights: 'this weights file',
  algorithm: 'this algorithm',
  share: 'this share',
  template: 'this template',
  imported: 'this file',
  measurement: 'this measurement',
};

/** Whose that is which they make; null: everybody's, where nobody is asked. */
export function makerOf(res: Response): Maker | null {
  const caller = callerOf(res);
  return caller === null || caller.via === null ? null : { name: caller.name, via: caller.via };
}

/** Refuses an author what is somebody else's. */
export function mustBeTheirs(owners: OwnerStore, res: Response, kind: Owned['kind'], id: string): void {
  if (callerOf(res)?.role === 'operator') return;
  const maker = kind === 'run' ? owners.ofRun(id) : owners.of(kind, id);
  if (maker === null || isMaker(maker, makerOf(res))) return;
  throw new AppError('NOT_YOURS', `${WORDS[kind]} was made by ${maker.name ?? 'the operator'}`, {
    where: id,
    hint: 'Authors change what they have made themselves. Ask them, or an operator.',
  });
}

interface Made {
  readonly made_by?: Maker | undefined;
}

/** With who has made it, for whoever is known here: what is frozen or written to a file names nobody. */
export function withMaker<T extends Made & { readonly id: string }>(
  owners: OwnerStore,
  res: Response,
  kind: OwnedKind,
  record: T,
): T {
  const maker = isKnown(res) ? owners.of(kind, record.id) : null;
  return maker === null ? record : { ...record, made_by: maker };
}

export function withMakers<T extends Made>(
  owners: OwnerStore,
  res: Response,
  kind: OwnedKind,
  records: readonly T[],
  idOf: (record: T) => string,
): T[] {
  if (!isKnown(res)) return [...records];
  const makers = owners.all(kind);
  return records.map((record) => {
    const maker = makers.get(idOf(record));
    return maker === undefined ? record : { ...record, made_by: maker };
  });
}

const isKnown = (res: Response): boolean => makerOf(res) !== null;
