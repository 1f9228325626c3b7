// What can be taken away from a run: its link, its data, its manifest, the command that repeats it.
import { useState } from 'react';
import type { RunManifest } from '#protocol/manifest';
import { EXPORT_FORMATS, exportUrl } from '../../api/actions';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { Dialog, MenuButton } from '../../ui/overlay';
import { CodeBlock } from '../../ui/scroll';
import css from './run.module.css';

interface RunActionsProps {
  readonly id: string;
  readonly manifest: RunManifest;
  /** Repeats the run's cell on a terminal; null while its experiment is not known. */
  readonly command: string | null;
}

export function RunActions({ id, manifest, command }: RunActionsProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <CopyButton icon="share" text={() => window.location.href}>
        Share
      </CopyButton>
      <MenuButton
        icon="download"
        aria-label="Download"
        entries={EXPORT_FORMATS.map((format) => ({
          id: format,
          label: `Samples as ${format === 'parquet' ? 'Parquet' : format.toUpperCase()}`,
          href: exportUrl('runs', id, format),
          download: true,
        }))}
      >
        Download
      </MenuButton>
      <Button icon="braces" onPress={() => setOpen(true)}>
        Manifest
      </Button>
      {open ? <ManifestDialog manifest={manifest} command={command} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

interface ManifestDialogProps {
  readonly manifest: RunManifest;
  readonly command: string | null;
  readonly onClose: () => void;
}

function ManifestDialog({ manifest, command, onClose }: ManifestDialogProps) {
  const text = JSON.stringify(manifest, null, 2);
  return (
    <Dialog title="Manifest" open onClose={onClose} wide>
      <CodeBlock label="Manifest as JSON">{text}</CodeBlock>
      <div className={css['dialogFoot']}>
        <CopyButton text={() => text}>Copy</CopyButton>
        {command === null ? null : <CopyButton text={() => command}>Copy CLI command</CopyButton>}
      </div>
    </Dialog>
  );
}
