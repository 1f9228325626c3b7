// Controls that belong together as one stop of the Tab key: the arrows move between them, as they stand on the page.
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';

/** Text fields need the arrows themselves, and stay stops of their own. */
const CONTROLS = 'button:not(:disabled), input:is([type="checkbox"], [type="radio"]):not(:disabled)';

const controlsOf = (group: Element): HTMLElement[] => [...group.querySelectorAll<HTMLElement>(CONTROLS)];

/** Only this one can be reached by Tab. */
function stopAt(group: Element, wanted: Element | null): void {
  const controls = controlsOf(group);
  const stop = controls.find((control) => control === wanted) ?? controls[0];
  for (const control of controls) control.tabIndex = control === stop ? 0 : -1;
}

interface Place {
  readonly x: number;
  readonly y: number;
}
const placeOf = (control: Element): Place => {
  // Ticks are drawn by labels; what they hide may be a single pixel.
  const { left, right, top, bottom } = (control.closest('label') ?? control).getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
};

/** The nearest control of the next line, above or below. */
function inNextLine(controls: readonly HTMLElement[], from: HTMLElement, direction: 1 | -1): HTMLElement | undefined {
  const here = placeOf(from);
  const others = controls
    .map((control) => ({ control, ...placeOf(control) }))
    .filter(({ y }) => (y - here.y) * direction > SAME_LINE);
  const line = Math.min(...others.map(({ y }) => Math.abs(y - here.y)));
  return others
    .filter(({ y }) => Math.abs(y - here.y) < line + SAME_LINE)
    .sort((a, b) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x))[0]?.control;
}
/** Pixels by which the middles of one line may differ. */
const SAME_LINE = 8;

function wantedBy(key: string, controls: readonly HTMLElement[], from: HTMLElement): HTMLElement | undefined {
  const at = controls.indexOf(from);
  switch (key) {
    case 'ArrowRight':
      return controls[at + 1];
    case 'ArrowLeft':
      return controls[at - 1];
    case 'ArrowDown':
      return inNextLine(controls, from, 1);
    case 'ArrowUp':
      return inNextLine(controls, from, -1);
    case 'Home':
      return controls[0];
    case 'End':
      return controls.at(-1);
    default:
      return undefined;
  }
}

const KEYS = ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'Home', 'End'];

interface RovingProps {
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

export function Roving({ label, className, children }: RovingProps) {
  const group = useRef<HTMLDivElement>(null);
  const stop = useRef<Element | null>(null);
  // What is drawn anew brings stops of its own.
  useLayoutEffect(() => {
    if (group.current !== null) stopAt(group.current, stop.current);
  });
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const { target, key, currentTarget } = event;
    const controls = controlsOf(currentTarget);
    const from = controls.find((control) => control === target);
    if (from === undefined || !KEYS.includes(key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    wantedBy(key, controls, from)?.focus();
  };
  return (
    <div
      ref={group}
      className={className}
      role="toolbar"
      aria-label={label}
      data-roving=""
      onKeyDownCapture={onKeyDown}
      onFocus={({ target, currentTarget }) => {
        stop.current = target;
        stopAt(currentTarget, target);
      }}
    >
      {children}
    </div>
  );
}
