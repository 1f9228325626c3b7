import type { LabelKind } from '#protocol/labels';
import { AppError } from '../errors.ts';
import type { Store } from '../store/store.ts';

/** Of what somebody has deleted: how to have it back; null: nobody has. */
export function deletion(store: Store, kind: Exclude<LabelKind, 'run'>, id: string): AppError | null {
  const { deleted } = store.labels.get(kind, id);
  if (deleted === null || store.labels.isRemoving(kind, id)) return null;
  return new AppError('DELETED', `the ${kind} ${id} was deleted`, {
    where: id,
    hint: `Until ${deleted.until} it can be restored: paceline restore ${id}, or POST /api/v1/${kind}s/${id}/restore.`,
  });
}

export const notRestorable = (id: string): AppError =>
  new AppError('NOT_RESTORABLE', 'its samples are being removed already', { where: id });
