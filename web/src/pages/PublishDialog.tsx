// What is private becomes what all may see. Asked once more, as there is no way back.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { publish, type PrivateThing } from '../api/access';
import { Button } from '../ui/button';
import { ProblemNotice } from '../ui/notice';
import { Dialog } from '../ui/overlay';

interface PublishDialogProps {
  readonly thing: PrivateThing;
  readonly onClose: () => void;
}

export function PublishDialog({ thing, onClose }: PublishDialogProps) {
  const queries = useQueryClient();
  const [fault, setFault] = useState<unknown>(null);
  return (
    <Dialog
      title={`Publish ${thing.name}`}
      open
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" onPress={() => void publish(queries, thing).then(onClose, setFault)}>
            Publish
          </Button>
        </>
      }
    >
      {fault === null ? null : <ProblemNotice error={fault} />}
      <p>
        Everybody who may use this server will see this {thing.kind}, with its name, its tags and its note. That cannot
        be taken back. Its address stays.
      </p>
    </Dialog>
  );
}
