// Marks of a figure as one stop of the Tab key: arrows move between them (in the order of the page), Enter and Space choose.
import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** For `onKeyDown` of the group; its marks carry `data-mark` and tabIndex -1 except the first. */
export function moveAmongMarks(event: KeyboardEvent): void {
  const marks = [...event.currentTarget.querySelectorAll<SVGElement>('[data-mark]')];
  const now = marks.findIndex((mark) => mark === document.activeElement);
  const step = STEPS[event.key];
  const next =
    step !== undefined ? now + step : event.key === 'Home' ? 0 : event.key === 'End' ? marks.length - 1 : null;
  if (next === null || now < 0) return;
  event.preventDefault();
  const target = marks[Math.min(Math.max(next, 0), marks.length - 1)];
  if (target === undefined) return;
  for (const mark of marks) mark.tabIndex = mark === target ? 0 : -1;
  target.focus();
}

/** Enter and Space on a mark that acts as a button. */
export const onPress = (action: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  event.preventDefault();
  action();
};
