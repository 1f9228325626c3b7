// The tour over the real pages: a card that says what one sees, and a ring around it. Nothing is locked: whoever wants to press something does.
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { motionReduced } from '../../settings/preferences';
import { endTour, useTourStep } from '../../settings/tour';
import { goTour, resumeTour, TOUR, type TourStep } from '../../settings/tour-steps';
import { Button, IconButton } from '../../ui/button';
import { cx } from '../../ui/cx';
import { pathOf } from '../../ui/place';
import css from './tour.module.css';

export function Tour() {
  const at = useTourStep();
  useEffect(resumeTour, []);
  const step = at === null ? undefined : TOUR[at];
  return at === null || step === undefined ? null : <Step key={at} at={at} step={step} />;
}

function Step({ at, step }: { readonly at: number; readonly step: TourStep }) {
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const card = useRef<HTMLDivElement>(null);
  const id = useId();
  const isLast = at === TOUR.length - 1;
  // Only when a step begins: who goes elsewhere meanwhile is left alone.
  useEffect(() => {
    if (pathOf(window.location.pathname) !== step.path) void navigate({ to: step.path });
    card.current?.focus({ preventScroll: true });
  }, [step, navigate]);
  const rect = useRect(path === step.path ? step.target : null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    endTour();
  };
  return (
    <>
      {rect === null ? null : (
        <div
          className={css['ring']}
          style={{ top: rect.top - 6, left: rect.left - 6, width: rect.width + 12, height: rect.height + 12 }}
        />
      )}
      {/* A dialog takes its keys wherever in it the focus is. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={card}
        role="dialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        tabIndex={-1}
        className={cx(css['card'], step.side === 'top' && css['above'])}
        onKeyDown={onKeyDown}
      >
        <div className={css['head']}>
          <span className={css['count']}>
            Step {at + 1} of {TOUR.length}
          </span>
          <IconButton icon="close" label="End the tour" size="small" onPress={endTour} />
        </div>
        <h2 id={`${id}-title`}>{step.title}</h2>
        <p id={`${id}-text`}>{step.text}</p>
        <div className={css['foot']}>
          {at === 0 ? null : <Button onPress={() => goTour(at, -1)}>Back</Button>}
          <Button kind="primary" onPress={() => goTour(at, 1)}>
            {isLast ? 'Done' : 'Next'}
          </Button>
        </div>
      </div>
    </>
  );
}

/** So far below the top bar a tall part begins. */
const BELOW_BAR = 64;

/** Where the first element of a selector is in the window, as it moves; null: it is not there. It is brought into sight when it comes. */
function useRect(selector: string | null): DOMRect | null {
  const [rect, setRect] = useState<DOMRect | null>(null);
  useEffect(() => {
    if (selector === null) return undefined;
    let frame = 0;
    let brought = false;
    const look = (): void => {
      frame = requestAnimationFrame(look);
      const found = document.querySelector(selector);
      if (found !== null && !brought) {
        brought = true;
        const { top, height } = found.getBoundingClientRect();
        const wanted = Math.max(BELOW_BAR, (window.innerHeight - height) / 2);
        window.scrollBy({ top: top - wanted, behavior: motionReduced() ? 'auto' : 'smooth' });
      }
      const next = found?.getBoundingClientRect() ?? null;
      setRect((last) => (same(last, next) ? last : next));
    };
    look();
    return () => {
      cancelAnimationFrame(frame);
      setRect(null);
    };
  }, [selector]);
  return rect;
}

const same = (a: DOMRect | null, b: DOMRect | null): boolean =>
  a === b ||
  (a !== null && b !== null && a.top === b.top && a.left === b.left && a.width === b.width && a.height === b.height);
