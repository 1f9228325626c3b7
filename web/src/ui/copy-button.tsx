// Copies a text and says that it did.
import { useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button';

/** The clipboard needs a secure page; over plain HTTP from another machine the old way still works. */
export async function copyText(text: string): Promise<void> {
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
  readonly text: () => string;
}

export function CopyButton({ text, icon = 'copy', children, ...rest }: CopyButtonProps) {
  const [said, setSaid] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), 1600);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <Button
      {...rest}
      icon={said === 'copied' ? 'check' : icon}
      onPress={() =>
        void copyText(text()).then(
          () => setSaid('copied'),
          () => setSaid('failed'),
        )
      }
    >
      <span aria-live="polite">
        {said === 'copied' ? 'Copied' : said === 'failed' ? 'Copying is not allowed' : children}
      </span>
    </Button>
  );
}
