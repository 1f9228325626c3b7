// The link to a version that is kept, and what it does to who opens it.
import { useQuery } from '@tanstack/react-query';
import type { OwnAlgorithm } from '#protocol/own-algorithm';
import { hasServer } from '../../api/ask';
import { linkTo } from '../../share/link';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { Dialog } from '../../ui/overlay';
import { addressOf } from '../../ui/place';
import { CodeBlock } from '../../ui/scroll';
import css from './write.module.css';

export function ShareDialog({ kept, onClose }: { readonly kept: OwnAlgorithm; readonly onClose: () => void }) {
  const plain = addressOf(`/write/${kept.id}`);
  const { data: link = plain } = useQuery({ queryKey: ['link', plain], queryFn: () => linkTo(plain), staleTime: 0 });
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
        first: nothing of it runs before they say so.{' '}
        {hasServer() ? '' : 'The link is long because it brings the text along: this site keeps nothing for anybody.'}
      </p>
      <div className={css['link']}>
        <CodeBlock label="Link">{link}</CodeBlock>
      </div>
    </Dialog>
  );
}
