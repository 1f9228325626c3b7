// What can be done with one row of a list.
import { useQueryClient } from '@tanstack/react-query';
import { MenuButton, type MenuEntry } from '../../ui/overlay';
import { archive, remove } from './undoable';
import type { LabelledThing } from './BulkBar';

interface RowMenuProps {
  readonly thing: LabelledThing;
  /** Before those that all rows have. */
  readonly entries?: readonly MenuEntry[];
  readonly deletable?: boolean;
}

export function RowMenu({ thing, entries = [], deletable = true }: RowMenuProps) {
  const queries = useQueryClient();
  const archived = thing.labels?.archived === true;
  return (
    <MenuButton
      kind="quiet"
      size="small"
      icon="more"
      aria-label={`More for ${thing.name}`}
      entries={[
        ...entries,
        {
          id: 'archive',
          label: archived ? 'Take out of the archive' : 'Archive',
          icon: 'archive',
          onAction: () => void archive(queries, [thing], !archived),
        },
        ...(deletable
          ? [
              {
                id: 'delete',
                label: 'Delete',
                icon: 'trash' as const,
                onAction: () => void remove(queries, [thing]),
              },
            ]
          : []),
      ]}
    />
  );
}
