// The link to a version that the server keeps, and what it does to who opens it.
import type { OwnAlgorithm } from '#protocol/own-algorithm';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { Dialog } from '../../ui/overlay';
import { CodeBlock } from '../../ui/scroll';
import css from './write.module.css';

export function ShareDialog({ kept, onClose }: { readonly kept: OwnAlgorithm; readonly onClose: () => void }) {
  const link = `${window.location.origin}/write/${kept.id}`;
  return (
    <Dialog
      title={`Share ${kept.declaration.name}`}
      open
      onClose={onClose}
      foot={
        <>
          <CopyButton kind="primary" icon="share" text={() => link}>
            Copy link
          </CopyButton>
          <Button onPress={onClose}>Done</Button>
        </>
      }
    >
      <p className={css['shared']}>
        This is version {kept.version}, as it stands now; the link never shows another text. Whoever opens it reads it
        first: nothing of it runs before they say so.
      </p>
      <CodeBlock label="Link">{link}</CodeBlock>
    </Dialog>
  );
}
