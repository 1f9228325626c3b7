// The spec of an experiment, and the command that runs it without the page.
import type { ExperimentRecord } from '#protocol/api';
import { CopyButton } from '../../ui/copy-button';
import { Dialog } from '../../ui/overlay';
import { CodeBlock } from '../../ui/scroll';
import { runCommand, specJson } from '../command';

export function SpecDialog({ record, onClose }: { readonly record: ExperimentRecord; readonly onClose: () => void }) {
  const text = specJson(record.spec);
  return (
    <Dialog
      title="Spec"
      open
      onClose={onClose}
      wide
      foot={
        <>
          <CopyButton text={() => text}>Copy</CopyButton>
          <CopyButton text={() => runCommand(record.spec)}>Copy CLI command</CopyButton>
        </>
      }
    >
      <CodeBlock label="Spec as JSON">{text}</CodeBlock>
    </Dialog>
  );
}
