// Authors change what they have made; whose something is, everybody is told.
import type { Response } from 'express';
import { isMaker, isPrivateKind, type Maker, type OwnedKind } from '#protocol/access';
import { AppError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { callerOf } from './callers.ts';
import { eyesOf } from './eyes.ts';

/** Whose things are, and who may see them. */
export type Kept = Pick<Store, 'owners' | 'private'>;

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

/** Who alone is to see what they make. */
export function privateTo(res: Response): Maker {
  const maker = makerOf(res);
  if (maker !== null) return maker;
  throw new AppError('NOBODY_TOLD_APART', 'nothing can be private here: this server asks nobody who they are', {
    hint: 'Start it with a token, and give others theirs (docs/access.md).',
  });
}

/** For whatever takes in what they make. */
export const madeBy = (
  res: Response,
  isPrivate: boolean,
): { readonly maker: Maker | null; readonly isPrivate: boolean } => ({
  maker: isPrivate ? privateTo(res) : makerOf(res),
  isPrivate,
});

/** Refuses an author what is somebody else's. */
export function mustBeTheirs({ owners, private: hidden }: Kept, res: Response, kind: Owned['kind'], id: string): void {
  if (callerOf(res)?.role === 'operator') return;
  const maker = kind === 'run' ? owners.ofRun(id, hidden.unseen('experiment', eyesOf(res))) : owners.of(kind, id);
  if (maker === null || isMaker(maker, makerOf(res))) return;
  throw new AppError('NOT_YOURS', `${WORDS[kind]} was made by ${maker.name ?? 'the operator'}`, {
    where: id,
    hint: 'Authors change what they have made themselves. Ask them, or an operator.',
  });
}

interface Told {
  readonly made_by?: Maker | undefined;
  readonly private?: true | undefined;
}

/** With who has made it and whether others see it, for whoever is known here: what is frozen or written to a file names nobody. */
export function withMaker<T extends Told & { readonly id: string }>(
  kept: Kept,
  res: Response,
  kind: OwnedKind,
  record: T,
): T {
  const maker = isKnown(res) ? kept.owners.of(kind, record.id) : null;
  return { ...record, ...(maker !== null && { made_by: maker }), ...privacy(kept, res, kind, record.id) };
}

export function withMakers<T extends Told>(
  kept: Kept,
  res: Response,
  kind: OwnedKind,
  records: readonly T[],
  idOf: (record: T) => string,
): T[] {
  if (!isKnown(res)) return [...records];
  const makers = kept.owners.all(kind);
  const secret = isPrivateKind(kind) ? kept.private.all(kind) : new Set<string>();
  return records.map((record) => {
    const maker = makers.get(idOf(record));
    return {
      ...record,
      ...(maker !== undefined && { made_by: maker }),
      ...(secret.has(idOf(record)) && { private: true as const }),
    };
  });
}

const isKnown = (res: Response): boolean => makerOf(res) !== null;

/** With whether others see it. */
export const withPrivacy = <T extends Told & { readonly id: string }>(
  kept: Kept,
  res: Response,
  kind: OwnedKind,
  record: T,
): T => ({ ...record, ...privacy(kept, res, kind, record.id) });

const privacy = ({ private: hidden }: Kept, res: Response, kind: OwnedKind, id: string): Pick<Told, 'private'> =>
  isKnown(res) && isPrivateKind(kind) && hidden.has(kind, id) ? { private: true } : {};
