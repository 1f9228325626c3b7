// Makes a frozen copy of the view in the address, under a name of its own.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Input, Label, TextArea, TextField as AriaTextField } from 'react-aria-components';
import { NewShare, slugOf, type ShareRecord } from '#protocol/share';
import { callerQuery } from '../api/access';
import { hasServer } from '../api/ask';
import { freeze } from '../api/shares';
import { Button, buttonClass } from '../ui/button';
import { CopyButton, copyText } from '../ui/copy-button';
import { cx } from '../ui/cx';
import { TextField } from '../ui/text-field';
import { Notice, ProblemNotice } from '../ui/notice';
import { Dialog } from '../ui/overlay';
import { addressOf, pathOf } from '../ui/place';
import { linkTo } from './link';
import field from '../ui/field.module.css';
import css from './share.module.css';

interface FreezeDialogProps {
  readonly name: string;
  readonly going: boolean;
  readonly onClose: () => void;
}

export function FreezeDialog({ name, going, onClose }: FreezeDialogProps) {
  const [made, setMade] = useState<ShareRecord | null>(null);
  if (going)
    return (
      <Dialog title="Freeze this view" open onClose={onClose} foot={<Button onPress={onClose}>Close</Button>}>
        <Notice title="It still goes on">
          A frozen view never changes, so it can be made when this is over. Until then, copy the link to the live view.
        </Notice>
      </Dialog>
    );
  return made === null ? (
    <Form name={name} onMade={setMade} onClose={onClose} />
  ) : (
    <Made share={made} onClose={onClose} />
  );
}

interface FormProps {
  readonly name: string;
  readonly onMade: (share: ShareRecord) => void;
  readonly onClose: () => void;
}

const FORM = 'freeze';

function Form({ name, onMade, onClose }: FormProps) {
  const queries = useQueryClient();
  const [title, setTitle] = useState(name.slice(0, 120));
  /** Null: as the title suggests. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: unknown }>({ busy: false, error: null });
  const tellsApart = (useQuery(callerQuery).data?.via ?? null) !== null;
  const slug = chosen ?? slugOf(title);
  const { pathname, search } = window.location;
  const share = { address: pathOf(pathname) + search, title, note, ...(slug === '' ? {} : { slug }) };
  const misnamed = slug !== '' && !NewShare.shape.slug.safeParse(slug).success;
  const make = (): void => {
    setState({ busy: true, error: null });
    freeze(queries, share).then(
      (record) => {
        onMade(record);
        // Where the browser allows it without another press.
        copyText(linkTo(shareAddress(record))).catch(() => undefined);
      },
      (error: unknown) => setState({ busy: false, error }),
    );
  };
  return (
    <Dialog
      title="Freeze this view"
      open
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            form={FORM}
            isPending={state.busy}
            isDisabled={state.busy || misnamed || title.trim() === ''}
          >
            {state.busy ? 'Freezing …' : 'Freeze'}
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        className={css['form']}
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        <p>
          A copy that never changes, whatever becomes of the runs: with this zoom and these choices, at an address of
          its own. Whoever opens it can look around in it.
        </p>
        {tellsApart ? <p>Everybody who may use this server can open it, also where what it shows is private.</p> : null}
        {hasServer() ? null : (
          <p>
            It is kept in this browser, with a few characters behind its address that are of it alone. Its link brings
            along what others need to make the same view.
          </p>
        )}
        <TextField label="Title" value={title} onChange={setTitle} />
        <AriaTextField
          className={cx(field['field'])}
          value={slug}
          onChange={(next) => setChosen(next === '' ? null : next.toLowerCase())}
          isInvalid={misnamed}
        >
          <Label className={cx(field['label'])}>Address</Label>
          <span className={cx(field['box'])}>
            <span className={cx(field['unit'], css['prefix'])}>/s/</span>
            <Input className={cx(field['input'])} maxLength={60} />
          </span>
          {misnamed ? (
            <div className={field['error']} role="alert">
              Lower-case letters, digits and single hyphens between them.
            </div>
          ) : null}
        </AriaTextField>
        <AriaTextField className={cx(field['field'])} value={note} onChange={setNote}>
          <Label className={cx(field['label'])}>Note (optional)</Label>
          <span className={cx(field['box'])}>
            <TextArea className={cx(field['input'])} rows={4} maxLength={5000} />
          </span>
        </AriaTextField>
        {state.error === null ? null : <ProblemNotice error={state.error} />}
      </form>
    </Dialog>
  );
}

const ON_CLIPBOARD = 'Its address, which is on the clipboard where the browser allows it:';
const LINK_ON_CLIPBOARD =
  'Its address in this browser. The link for others, which brings along what they need, is on the clipboard where the browser allows it.';

const shareAddress = ({ slug }: ShareRecord): string => addressOf(`/s/${slug}`);

function Made({ share, onClose }: { readonly share: ShareRecord; readonly onClose: () => void }) {
  const address = shareAddress(share);
  return (
    <Dialog
      title="The view is frozen"
      open
      onClose={onClose}
      foot={
        <>
          <CopyButton text={() => linkTo(address)}>{hasServer() ? 'Copy address' : 'Copy link'}</CopyButton>
          <a className={buttonClass({ kind: 'primary' })} href={address}>
            Open it
          </a>
        </>
      }
    >
      <div className={css['made']} role="status">
        <p>{hasServer() ? ON_CLIPBOARD : LINK_ON_CLIPBOARD}</p>
        <code>{address}</code>
      </div>
    </Dialog>
  );
}
