// The text that is open: which of those of this browser, what it says, and what another tab made of it meanwhile.
import { useCallback, useEffect, useState } from 'react';
import { TEMPLATE_TEXT } from '../../write/examples';
import { drafts, useDrafts } from '../../write/my-drafts';
import type { Draft, Trouble } from '../../write/drafts';

const FIRST_NAME = 'My algorithm';

interface Opened {
  readonly name: string;
  readonly text: string;
  readonly trouble: Trouble | null;
  /** What was here before another tab changed it. */
  readonly before: Draft | null;
  /** The other tab has deleted it. */
  readonly gone: boolean;
  readonly write: (text: string) => void;
  readonly open: (name: string) => void;
  /** Begins another one with the template. */
  readonly openNew: () => void;
  /** Opens a text that may be there already. */
  readonly openText: (title: string, text: string) => void;
  /** Keeps what was here under another name, or lets go of it. */
  readonly settle: (keep: boolean) => void;
}

/** `mine`: the name that the address says; empty: the last one. `setMine`: says it in the address. */
export function useDraft(mine: string, setMine: (name: string, replace: boolean) => void): Opened {
  const { drafts: all, trouble } = useDrafts();
  const [last] = useState(() => all[0]?.name ?? FIRST_NAME);
  const name = mine === '' ? last : mine;
  const [elsewhere, setElsewhere] = useState<{ readonly before: Draft; readonly gone: boolean } | null>(null);
  useEffect(
    () =>
      drafts.onElsewhere(({ before, now }) =>
        setElsewhere((earlier) => ({
          before: earlier?.before.name === before.name ? earlier.before : before,
          gone: now === null,
        })),
      ),
    [],
  );
  const told = elsewhere?.before.name === name ? elsewhere : null;
  const text = drafts.get(name)?.text ?? (told?.gone === true ? told.before.text : TEMPLATE_TEXT);
  const write = useCallback(
    (next: string) => {
      drafts.write(name, next);
      if (mine !== name) setMine(name, true);
    },
    [name, mine, setMine],
  );
  const open = useCallback((next: string) => setMine(next, false), [setMine]);
  const openText = (title: string, wanted: string): void => {
    const there = all.find((draft) => draft.text === wanted);
    const free = there?.name ?? drafts.free(title);
    if (there === undefined) drafts.write(free, wanted);
    open(free);
  };
  const openNew = (): void => {
    const free = drafts.free(FIRST_NAME);
    drafts.write(free, TEMPLATE_TEXT);
    open(free);
  };
  const settle = (keep: boolean): void => {
    if (keep && told !== null) {
      const to = told.gone ? name : drafts.free(name);
      drafts.write(to, told.before.text);
      if (to !== name) open(to);
    }
    setElsewhere(null);
  };
  const [before, gone] = [told?.before ?? null, told?.gone ?? false];
  return { name, text, trouble, before, gone, write, open, openNew, openText, settle };
}
