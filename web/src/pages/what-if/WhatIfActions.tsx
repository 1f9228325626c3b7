// What becomes of a run that is worth it.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { LABEL_LIMITS } from '#protocol/limits';
import { shortened } from '#protocol/text';
import { startExperiment } from '../../api/actions';
import { LiveOnly } from '../../share/frozen';
import { Button } from '../../ui/button';
import { CodeDialog } from '../../ui/code-dialog';
import { CopyButton } from '../../ui/copy-button';
import { ProblemNotice } from '../../ui/notice';
import type { Made } from '../../what-if/make';
import { runCommand } from '../command';

export function WhatIfActions({ made, name }: { readonly made: Made; readonly name: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [keeping, setKeeping] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const { role, repetition } = made.place;
  const keep = async (): Promise<void> => {
    setKeeping(true);
    try {
      const record = await startExperiment(queries, { ...made.spec, name: shortened(name, LABEL_LIMITS.name.max) });
      const run = record.runs.find((one) => one.role === role && one.repetition === repetition);
      if (run !== undefined) await navigate({ to: '/r/$id', params: { id: run.id } });
    } catch (error) {
      setFault(error);
    } finally {
      setKeeping(false);
    }
  };
  return (
    <>
      <CopyButton icon="share" text={() => window.location.href}>
        Copy link
      </CopyButton>
      <Button icon="braces" onPress={() => setOpen(true)}>
        Manifest
      </Button>
      <LiveOnly>
        <Button kind="primary" icon="download" isDisabled={keeping} onPress={() => void keep()}>
          Keep
        </Button>
      </LiveOnly>
      {fault === null ? null : <ProblemNotice error={fault} />}
      {open ? (
        <CodeDialog
          title="Manifest"
          text={JSON.stringify(made.run.manifest, null, 2)}
          command={runCommand(made.spec)}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
