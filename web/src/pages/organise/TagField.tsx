// One more tag: typed, or one of those in use.
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { LABEL_LIMITS } from '#protocol/limits';
import { tagText } from '#protocol/labels';
import { tagsQuery } from '../../api/labels';
import css from './organise.module.css';

/** More are not looked through in a list. */
const OFFERED = 50;

const CLOSES_MS = 250;

interface TagFieldProps {
  /** Those that it has. */
  readonly tags: readonly string[];
  readonly onAdd: (tag: string) => void;
  readonly onDone: () => void;
}

export function TagField({ tags, onAdd, onDone }: TagFieldProps) {
  const known = useQuery(tagsQuery);
  const list = useId();
  const [text, setText] = useState('');
  const tag = tagText(text);
  const add = (): void => {
    if (tag !== '' && !tags.includes(tag)) onAdd(tag);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onDone();
    else if (event.key !== 'Enter' && event.key !== ',') return;
    else if (tag === '') onDone();
    else add();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <input
        className={css['tagInput']}
        aria-label="New tag"
        list={list}
        placeholder="tag, Enter"
        maxLength={LABEL_LIMITS.tag.max}
        value={text}
        // eslint-disable-next-line jsx-a11y/no-autofocus -- it stands where the button was that was just pressed
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          add();
          // What is being pressed stays where it is until it is let go.
          setTimeout(onDone, CLOSES_MS);
        }}
      />
      <datalist id={list}>
        {(known.data ?? [])
          .filter((one) => !tags.includes(one.tag))
          .slice(0, OFFERED)
          .map((one) => (
            <option key={one.tag} value={one.tag} />
          ))}
      </datalist>
    </>
  );
}
