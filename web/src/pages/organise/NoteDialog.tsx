// A note is written as Markdown, and looked at before it is kept.
import { useState } from 'react';
import { LABEL_LIMITS } from '#protocol/limits';
import { Button } from '../../ui/button';
import { Segmented } from '../../ui/choice';
import { formatCount } from '../../ui/format';
import { ProblemNotice } from '../../ui/notice';
import { Dialog } from '../../ui/overlay';
import { Markdown } from './Markdown';
import css from './organise.module.css';

interface NoteDialogProps {
  readonly name: string;
  readonly note: string;
  readonly onSave: (note: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function NoteDialog({ name, note, onSave, onClose }: NoteDialogProps) {
  const [text, setText] = useState(note);
  const [look, setLook] = useState<'write' | 'read'>('write');
  const [fault, setFault] = useState<unknown>(null);
  const left = LABEL_LIMITS.note.max - text.length;
  return (
    <Dialog
      title={`Note on ${name}`}
      open
      onClose={onClose}
      wide
      foot={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" isDisabled={left < 0} onPress={() => void onSave(text).then(onClose, setFault)}>
            Save
          </Button>
        </>
      }
    >
      {fault === null ? null : <ProblemNotice error={fault} />}
      <div className={css['noteTools']}>
        <Segmented
          label="Show"
          hideLabel
          value={look}
          options={[
            { id: 'write', label: 'Write' },
            { id: 'read', label: 'Preview' },
          ]}
          onChange={setLook}
        />
        <small className={left < 0 ? css['tooLong'] : undefined} role="status">
          {left < 0
            ? `${formatCount(-left)} characters too many`
            : 'Markdown: **bold**, *italic*, lists, `code`, [links](https://…)'}
        </small>
      </div>
      {look === 'write' ? (
        <textarea
          className={css['editor']}
          aria-label="Note, as Markdown"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      ) : (
        <div className={css['preview']}>
          {text.trim() === '' ? (
            <p className={css['quiet']}>There is nothing in it yet.</p>
          ) : (
            <Markdown>{text}</Markdown>
          )}
        </div>
      )}
    </Dialog>
  );
}
