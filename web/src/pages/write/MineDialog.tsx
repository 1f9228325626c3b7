// The texts of this browser: opened, renamed, doubled, deleted and brought back; and what the server keeps.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { algorithmsQuery } from '../../api/algorithms';
import { hasServer } from '../../api/ask';
import { Button, IconButton } from '../../ui/button';
import { Dialog } from '../../ui/overlay';
import { TextField } from '../../ui/text-field';
import { showToast } from '../../ui/toasts';
import { When } from '../../ui/when';
import { drafts, useDrafts } from '../../write/my-drafts';
import type { Draft } from '../../write/drafts';
import css from './write.module.css';

interface MineDialogProps {
  /** The name of the text that is open. */
  readonly open: string;
  readonly onOpen: (name: string) => void;
  readonly onClose: () => void;
}

export function MineDialog({ open, onOpen, onClose }: MineDialogProps) {
  const { drafts: mine } = useDrafts();
  const list = useRef<HTMLUListElement>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const kept = useQuery(algorithmsQuery);
  const newest = (kept.data ?? []).filter(
    (one, i, all) => all.findIndex(({ declaration }) => declaration.name === one.declaration.name) === i,
  );
  const double = ({ name, text }: Draft): void => drafts.write(drafts.free(name), text);
  const remove = ({ name }: Draft): void => {
    const gone = drafts.remove(name);
    // The button that was pressed goes with its row: the keys stay in the dialog.
    list.current?.focus();
    if (gone === undefined) return;
    showToast({
      text: `“${name}” is deleted.`,
      undo: () => {
        drafts.put(gone);
        return Promise.resolve();
      },
    });
  };
  const pick = (name: string): void => {
    onOpen(name);
    onClose();
  };
  return (
    <Dialog title="Mine" open onClose={onClose} wide>
      <ul ref={list} tabIndex={-1} className={css['mine']} aria-label="Texts in this browser">
        {mine.map((draft) => (
          <li key={draft.name}>
            {renaming === draft.name ? (
              <Rename
                name={draft.name}
                onDone={(to) => {
                  setRenaming(null);
                  if (drafts.rename(draft.name, to) && draft.name === open) onOpen(to);
                }}
              />
            ) : (
              <>
                <Button
                  kind="quiet"
                  onPress={() => pick(draft.name)}
                  {...(draft.name === open ? { 'aria-current': true } : {})}
                >
                  {draft.name}
                </Button>
                <small>
                  <When iso={new Date(draft.changed_ms).toISOString()} />
                </small>
                <IconButton
                  size="small"
                  icon="pencil"
                  label={`Rename ${draft.name}`}
                  onPress={() => setRenaming(draft.name)}
                />
                <IconButton size="small" icon="copy" label={`Duplicate ${draft.name}`} onPress={() => double(draft)} />
                <IconButton size="small" icon="trash" label={`Delete ${draft.name}`} onPress={() => remove(draft)} />
              </>
            )}
          </li>
        ))}
      </ul>
      {mine.length === 0 ? (
        <p className={css['none']}>Nothing is kept in this browser yet: it is as soon as you type.</p>
      ) : null}
      {newest.length === 0 ? null : (
        <>
          <h3>{hasServer() ? 'On this server' : 'Kept as versions'}</h3>
          <ul className={css['mine']} aria-label="Algorithms kept as versions">
            {newest.map(({ id, declaration, version, created_at }) => (
              <li key={id}>
                <Link to="/write/$id" params={{ id }}>
                  {declaration.name}
                </Link>
                <small>
                  version {version} · <When iso={created_at} />
                </small>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

function Rename({ name, onDone }: { readonly name: string; readonly onDone: (to: string) => void }) {
  const [to, setTo] = useState(name);
  const taken = to !== name && drafts.get(to) !== undefined;
  return (
    <form
      className={css['rename']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!taken) onDone(to.trim());
      }}
    >
      <TextField
        label="New name"
        hideLabel
        value={to}
        onChange={setTo}
        {...(taken ? { error: 'Another text has this name.' } : {})}
      />
      <Button type="submit" size="small">
        Rename
      </Button>
    </form>
  );
}
