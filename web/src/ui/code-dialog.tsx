// A document as text, to read and to copy, and the command that works with it.
import { CopyButton } from './copy-button';
import { Dialog } from './overlay';
import { CodeBlock } from './scroll';

interface CodeDialogProps {
  readonly title: string;
  readonly text: string;
  /** Null: there is none. */
  readonly command: string | null;
  readonly onClose: () => void;
}

export const CodeDialog = ({ title, text, command, onClose }: CodeDialogProps) => (
  <Dialog
    title={title}
    open
    onClose={onClose}
    wide
    foot={
      <>
        <CopyButton text={() => text}>Copy</CopyButton>
        {command === null ? null : <CopyButton text={() => command}>Copy CLI command</CopyButton>}
      </>
    }
  >
    <CodeBlock label={`${title} as JSON`}>{text}</CodeBlock>
  </Dialog>
);
