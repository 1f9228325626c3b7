// The field in which runs are looked for: it completes fields and their values, and says what it does not understand, and where.
import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { MOST_QUERY, type QueryFault } from '#analysis/run-query';
import { runValuesQuery } from '../../api/queries';
import { Icon } from '../../ui/icons';
import { choicesFor, chosen, openAt, type Choice } from './complete';
import css from './runs.module.css';

interface QueryFieldProps {
  readonly value: string;
  readonly faults: readonly QueryFault[];
  readonly onChange: (query: string) => void;
  readonly onEnter: () => void;
}

export function QueryField({ value, faults, onChange, onEnter }: QueryFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const list = useId();
  const told = useId();
  const open = caret === null ? null : openAt(value, caret);
  const field = open?.field ?? null;
  const values = useQuery({ ...runValuesQuery(field?.id ?? ''), enabled: field !== null && field.kind !== 'number' });
  const choices = open === null ? [] : choicesFor(open, values.data ?? []);
  const at = Math.min(active, choices.length - 1);

  const look = (): void => {
    setCaret(input.current?.selectionStart ?? null);
    setActive(0);
  };
  const take = (choice: Choice): void => {
    if (open === null) return;
    const next = chosen(value, open, choice);
    onChange(next.query);
    setActive(0);
    setCaret(next.caret);
    requestAnimationFrame(() => input.current?.setSelectionRange(next.caret, next.caret));
  };
  const press = (event: KeyboardEvent): void => {
    const choice = choices[at];
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (caret === null) look();
      else if (choices.length > 0) setActive((at + step + choices.length) % choices.length);
    } else if (
      (event.key === 'Tab' || event.key === 'Enter') &&
      choice !== undefined &&
      (open?.part !== '' || active > 0)
    ) {
      event.preventDefault();
      take(choice);
    } else if (event.key === 'Enter') {
      setCaret(null);
      onEnter();
    } else if (event.key === 'Escape' && choices.length > 0) {
      event.preventDefault();
      setCaret(null);
    }
  };

  return (
    <div className={css['query']}>
      <div className={css['queryBox']} data-invalid={faults.length > 0 ? '' : undefined}>
        <Icon name="search" />
        <input
          ref={input}
          role="combobox"
          aria-label="Find runs"
          aria-autocomplete="list"
          aria-expanded={choices.length > 0}
          aria-controls={list}
          aria-activedescendant={choices.length > 0 ? `${list}-${at}` : undefined}
          aria-describedby={told}
          aria-invalid={faults.length > 0}
          placeholder="cca:bbr util<0.8 tag:thesis"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          maxLength={MOST_QUERY}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
            setCaret(event.target.selectionStart);
            setActive(0);
          }}
          onFocus={look}
          onClick={look}
          onKeyUp={(event) => {
            if (event.key.startsWith('Arrow') && event.key.length > 9) look();
          }}
          onKeyDown={press}
          onBlur={() => setCaret(null)}
        />
      </div>
      <Choices id={list} choices={choices} at={at} onTake={take} />
      <p id={told} className={css['faults']} role="status">
        {faults.map(({ from, to, detail }) => (
          <span key={`${from} ${detail}`}>
            {value.slice(from, to) === '' ? null : <mark>{value.slice(from, to)}</mark>} {detail}
          </span>
        ))}
      </p>
    </div>
  );
}

interface ChoicesProps {
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly at: number;
  readonly onTake: (choice: Choice) => void;
}

/** Keys go to the field, which keeps the focus. */
const Choices = ({ id, choices, at, onTake }: ChoicesProps) => (
  <ul id={id} role="listbox" aria-label="Completions" className={css['choices']} hidden={choices.length === 0}>
    {choices.map((choice, i) => (
      <li
        key={choice.text}
        id={`${id}-${i}`}
        role="option"
        aria-selected={i === at}
        onPointerDown={(event) => {
          event.preventDefault();
          onTake(choice);
        }}
      >
        <code>{choice.text}</code> <span>{choice.means}</span>
      </li>
    ))}
  </ul>
);
