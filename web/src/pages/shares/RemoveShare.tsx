// Takes a share away, once somebody has said so twice: links to it lead nowhere then.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ShareRecord } from '#protocol/share';
import { removeShare } from '../../api/shares';
import { Button, IconButton } from '../../ui/button';
import { ProblemNotice } from '../../ui/notice';
import { Dialog } from '../../ui/overlay';

export function RemoveShare({ share }: { readonly share: ShareRecord }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <IconButton icon="trash" size="small" label={`Delete the share ${share.title}`} onPress={() => setAsking(true)} />
      {asking ? <Asked share={share} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function Asked({ share, onClose }: { readonly share: ShareRecord; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: unknown }>({ busy: false, error: null });
  const remove = (): void => {
    setState({ busy: true, error: null });
    removeShare(queries, share.slug).then(onClose, (error: unknown) => setState({ busy: false, error }));
  };
  return (
    <Dialog
      title="Delete this share?"
      open
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>Keep it</Button>
          <Button kind="danger" icon="trash" isDisabled={state.busy} onPress={remove}>
            Delete
          </Button>
        </>
      }
    >
      <p>
        Links to <b>{share.title}</b> (<code>/s/{share.slug}</code>) will lead nowhere. The runs it shows stay.
      </p>
      {state.error === null ? null : <ProblemNotice error={state.error} />}
    </Dialog>
  );
}
