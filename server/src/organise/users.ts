// Who needs a trace, a weights file or an own algorithm: looked for in what runs really have, whatever their specs call it.
import { inPieces } from '../experiments/enter.ts';
import type { PrivateKind } from '#protocol/access';
import type { Slices } from '../slices.ts';
import type { Eyes } from '../store/private.ts';
import type { Store } from '../store/store.ts';

export interface User {
  /** As it is told to a person: `the experiment “lte sweep”`. */
  readonly name: string;
  /** It is deleted, and may come back. */
  readonly deleted: boolean;
}

function* usersSteps(store: Store, hash: string, eyes: Eyes): Generator<void, User[], undefined> {
  const users: User[] = [];
  const isUnseen = (kind: PrivateKind, id: string): boolean => store.private.isUnseen(kind, id, eyes);
  for (const id of store.experiments.ids()) {
    if (yield* uses(store, id, hash))
      users.push({
        name: isUnseen('experiment', id)
          ? 'a private experiment'
          : `the experiment “${store.experiments.nameOf(id) ?? id}”`,
        deleted: store.labels.isDeleted('experiment', id),
      });
    yield;
  }
  for (const { id, name } of store.traces.editsOf(hash))
    users.push({ name: isUnseen('trace', id) ? 'a private trace' : `the edited trace “${name}”`, deleted: false });
  return users;
}

/** Whether an experiment needs one trace, weights file or own algorithm. */
export const needs = (store: Store, slices: Slices, experiment: string, hash: string): Promise<boolean> =>
  slices.run(uses(store, experiment, hash));

function* uses(store: Store, id: string, hash: string): Generator<void, boolean, undefined> {
  if (store.experiments.specHas(id, hash)) return true;
  for (const cells of inPieces(store.experiments.cellCount(id))) {
    if (store.experiments.cellsHave(id, cells, hash)) return true;
    yield;
  }
  return false;
}

/** `eyes`: of who is told. */
export const usersOf = (store: Store, slices: Slices, hash: string, eyes: Eyes = 'all'): Promise<User[]> =>
  slices.run(usersSteps(store, hash, eyes));
