// The heading of a page whose thing can be called otherwise, in its place: Enter keeps the name, Esc leaves it.
import { type ReactNode, useRef, useState } from 'react';
import { LABEL_LIMITS } from '#protocol/limits';
import { IconButton } from '../../ui/button';
import page from '../../ui/page.module.css';
import css from './organise.module.css';

interface NameFieldProps {
  readonly name: string;
  /** Absent: it keeps its name. */
  readonly onRename?: ((name: string) => void) | undefined;
  /** Beside the name. */
  readonly children?: ReactNode;
}

export function NameField({ name, onRename, children }: NameFieldProps) {
  const [text, setText] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setText(null);
    // The button comes back in place of the field.
    requestAnimationFrame(() => button.current?.focus());
  };
  const keep = (): void => {
    if (text !== null && text.trim() !== name) onRename?.(text.trim());
    close();
  };
  return (
    <>
      {text === null ? (
        <h1 className={page['title']}>
          {name} {children}
        </h1>
      ) : (
        <>
          <h1 className="visually-hidden">
            {name} {children}
          </h1>
          <input
            className={css['nameInput']}
            aria-label="Name"
            maxLength={LABEL_LIMITS.name.max}
            value={text}
            // eslint-disable-next-line jsx-a11y/no-autofocus -- it stands where the button was that was just pressed
            autoFocus
            onFocus={(event) => event.target.select()}
            onChange={(event) => setText(event.target.value)}
            onBlur={keep}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
              event.preventDefault();
              event.stopPropagation();
              if (event.key === 'Enter') keep();
              else close();
            }}
          />
        </>
      )}
      {onRename === undefined || text !== null ? null : (
        <IconButton ref={button} icon="pencil" size="small" label="Rename" onPress={() => setText(name)} />
      )}
    </>
  );
}
