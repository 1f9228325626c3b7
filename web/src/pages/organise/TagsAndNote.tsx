// The tags of a thing as chips, its note as it reads, and the way to more of both.
import { Suspense, useState } from 'react';
import { LABEL_LIMITS } from '#protocol/limits';
import { withoutTag, withTag, type Change } from '../../api/labels';
import { Button } from '../../ui/button';
import { lazyPart } from '../../ui/lazy-part';
import { showProblem } from '../../ui/toasts';
import { Taken } from '../new/Chip';
import { TagField } from './TagField';
import css from './organise.module.css';

const Markdown = lazyPart(async () => ({ default: (await import('./Markdown')).Markdown }));
const NoteDialog = lazyPart(async () => ({ default: (await import('./NoteDialog')).NoteDialog }));

interface TagsAndNoteProps {
  readonly name: string;
  readonly tags: readonly string[];
  readonly note: string;
  readonly change: (change: Change) => Promise<unknown>;
}

export function TagsAndNote({ name, tags, note, change }: TagsAndNoteProps) {
  const [tagging, setTagging] = useState(false);
  const [writing, setWriting] = useState(false);
  const set = (what: Change): void => void change(what).catch(showProblem);
  return (
    <>
      <div className={css['row']} role="group" aria-label="Tags and note">
        {tags.map((tag) => (
          <Taken key={tag} label={tag} removal={`Take the tag ${tag} away`} onRemove={() => set(withoutTag(tag))} />
        ))}
        {tagging ? (
          <TagField tags={tags} onAdd={(tag) => set(withTag(tag))} onDone={() => setTagging(false)} />
        ) : (
          <Button
            kind="quiet"
            size="small"
            icon="tag"
            isDisabled={tags.length >= LABEL_LIMITS.tags.max}
            onPress={() => setTagging(true)}
          >
            Add a tag
          </Button>
        )}
        <Button kind="quiet" size="small" icon="pencil" onPress={() => setWriting(true)}>
          {note === '' ? 'Add a note' : 'Edit the note'}
        </Button>
      </div>
      {note === '' ? null : (
        <section className={css['note']} aria-label="Note">
          <Suspense fallback={null}>
            <Markdown>{note}</Markdown>
          </Suspense>
        </section>
      )}
      {writing ? (
        <Suspense fallback={null}>
          <NoteDialog
            name={name}
            note={note}
            onSave={(next) => change({ note: next })}
            onClose={() => setWriting(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
