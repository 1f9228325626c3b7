// Copies a text and says that it did.
import { useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button';

/** What is not there yet: some browsers let a page copy only in the moment of the press, and wait for the text themselves. */
async function copyComing(coming: Promise<string>): Promise<void> {
  if (!window.isSecureContext) return copyText(await coming);
  const blob = coming.then((text) => new Blob([text], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}

/** The clipboard needs a secure page; over plain HTTP from another machine the old way still works. */
export async function copyText(text: string | Promise<string>): Promise<void> {
  if (typeof text !== 'string') return copyComing(text);
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  document.body.append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way outside of secure pages
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('The browser does not let this page copy.');
}

export interface CopyButtonProps extends Omit<ButtonProps, 'onPress'> {
  readonly text: () => string | Promise<string>;
}

/** Copies, and gives the words that say so for a moment. */
export function useCopied(text: CopyButtonProps['text']): { readonly said: string | null; readonly copy: () => void } {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), 1600);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void =>
    void copyText(text()).then(
      () => setSaid(COPIED),
      () => setSaid('Copying is not allowed'),
    );
  return { said, copy };
}

export const COPIED = 'Copied';

export function CopyButton({ text, icon = 'copy', children, ...rest }: CopyButtonProps) {
  const { said, copy } = useCopied(text);
  return (
    <Button {...rest} icon={said === COPIED ? 'check' : icon} onPress={copy}>
      <span aria-live="polite">{said ?? children}</span>
    </Button>
  );
}
