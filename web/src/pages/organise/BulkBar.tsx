// What is done to several rows of a list at once.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { LABEL_LIMITS } from '#protocol/limits';
import type { ListedLabels } from '#protocol/labels';
import { changeLabels } from '../../api/labels';
import { Button } from '../../ui/button';
import { formatCount } from '../../ui/format';
import { showProblem, showToast } from '../../ui/toasts';
import { TagField } from './TagField';
import { archive, remove, type NamedThing } from './undoable';
import css from './organise.module.css';

export interface LabelledThing extends NamedThing {
  readonly labels?: ListedLabels | undefined;
}

interface BulkBarProps {
  readonly things: readonly LabelledThing[];
  readonly onClear: () => void;
  /** What else can be done with them. */
  readonly children?: ReactNode;
}

export function BulkBar({ things, onClear, children }: BulkBarProps) {
  const queries = useQueryClient();
  const [tagging, setTagging] = useState(false);
  if (things.length === 0) return null;
  const archived = things.every(({ labels }) => labels?.archived === true);
  const tag = async (added: string): Promise<void> => {
    for (const { labels, ...thing } of things) {
      const tags = labels?.tags ?? [];
      if (!tags.includes(added) && tags.length < LABEL_LIMITS.tags.max)
        await changeLabels(queries, thing, { tags: [...tags, added] });
    }
    showToast({ text: `${formatCount(things.length)} tagged ${added}.` });
  };
  return (
    <div className={css['bulk']} role="group" aria-label="With those selected">
      <span aria-live="polite">{formatCount(things.length)} selected</span>
      {children}
      {tagging ? (
        <TagField tags={[]} onAdd={(added) => void tag(added).catch(showProblem)} onDone={() => setTagging(false)} />
      ) : (
        <Button size="small" icon="tag" onPress={() => setTagging(true)}>
          Tag
        </Button>
      )}
      <Button size="small" icon="archive" onPress={() => void archive(queries, things, !archived).then(onClear)}>
        {archived ? 'Take out of the archive' : 'Archive'}
      </Button>
      <Button
        size="small"
        kind="danger"
        icon="trash"
        onPress={() => void remove(queries, things).then((gone) => gone && onClear())}
      >
        Delete
      </Button>
      <Button size="small" kind="quiet" onPress={onClear}>
        Clear
      </Button>
    </div>
  );
}
