// An experiment that somebody sends as a bundle: its traces and weights are brought in, and its spec fills the form.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileTrigger } from 'react-aria-components';
import type { ImportedBundle } from '#protocol/bundle';
import { openBundle } from '../../api/actions';
import { Button } from '../../ui/button';
import { ProblemNotice } from '../../ui/notice';

interface OpenBundleProps {
  readonly onOpened: (bundle: ImportedBundle) => void;
}

export function OpenBundle({ onOpened }: OpenBundleProps) {
  const queries = useQueryClient();
  const opening = useMutation({ mutationFn: (file: File) => openBundle(queries, file), onSuccess: onOpened });
  return (
    <>
      <FileTrigger
        acceptedFileTypes={['.zip']}
        onSelect={(files) => {
          const file = files?.[0];
          if (file !== undefined) opening.mutate(file);
        }}
      >
        <Button kind="quiet" icon="upload" isPending={opening.isPending}>
          Open a bundle
        </Button>
      </FileTrigger>
      {opening.error === null ? null : <ProblemNotice error={opening.error} />}
    </>
  );
}
