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
}

export function RunActions({ id, manifest }: RunActionsProps) {
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
      {open ? <ManifestDialog manifest={manifest} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ManifestDialog({ manifest, onClose }: { readonly manifest: RunManifest; readonly onClose: () => void }) {
  const text = JSON.stringify(manifest, null, 2);
  return (
    <Dialog title="Manifest" open onClose={onClose} wide>
      <CodeBlock label="Manifest as JSON">{text}</CodeBlock>
      <div className={css['dialogFoot']}>
        <CopyButton text={() => text}>Copy</CopyButton>
        <CopyButton text={() => `paceline-simulate --manifest - --traces DIR --format ndjson <<'EOF'\n${text}\nEOF\n`}>
          Copy as command
        </CopyButton>
      </div>
    </Dialog>
  );
}
