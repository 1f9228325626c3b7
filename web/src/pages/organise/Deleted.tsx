// At the address of something that was deleted: the way back, as long as there is one.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { labelsQuery, restoreThing, type Thing } from '../../api/labels';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { showProblem } from '../../ui/toasts';
import { When } from '../../ui/when';

interface DeletedProps {
  readonly thing: Thing;
  readonly onRestored: () => void;
  /** What is said where nothing of it can come back. */
  readonly children: ReactNode;
}

export function Deleted({ thing, onRestored, children }: DeletedProps) {
  const queries = useQueryClient();
  const { data, isPending } = useQuery({ ...labelsQuery(thing), retry: false });
  if (isPending) return null;
  if (data === undefined || data === null || data.deleted === null) return children;
  return (
    <Notice
      kind="warning"
      title={`This ${thing.kind} was deleted`}
      actions={
        <Button icon="retry" onPress={() => void restoreThing(queries, thing).then(onRestored, showProblem)}>
          Undo
        </Button>
      }
    >
      It was so <When iso={data.deleted.at} />. Until {new Date(data.deleted.until).toLocaleString('en-GB')} it can come
      back; then it is removed for good.
    </Notice>
  );
}
