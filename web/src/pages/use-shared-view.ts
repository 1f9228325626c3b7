// The visible range and the pinned cross-hair live in the address: a shared link opens on the same view.
import { useEffect, useMemo } from 'react';
import { TimeView, type Range } from '../charts/time-view';
import { type Command, useCommands } from '../ui/commands';
import { optionalNumber, rangeText, type SearchState } from '../ui/search';

/** Parameters that a page with time panels has in its address. */
export const VIEW_SEARCH = {
  /** Visible range, seconds. */
  t: { codec: rangeText, initial: null as [number, number] | null },
  /** Pinned cross-hair, seconds. */
  cursor: { codec: optionalNumber, initial: null as number | null },
};
type ViewShape = typeof VIEW_SEARCH;

/** A wheel turn or a pinch is many small steps: the address is written when they are over. */
const SETTLE_MS = 250;
const ZOOM = 1.6;
const PAN = 0.2;

const near = (a: Range, b: Range): boolean => Math.abs(a[0] - b[0]) < 1e-3 && Math.abs(a[1] - b[1]) < 1e-3;

/** `pinning` false: the pinned cross-hair rests, because what it points at is not shown (a replay before it). */
export function useSharedView<S extends ViewShape>(
  extentS: number,
  { search, setSearch }: Pick<SearchState<S>, 'search' | 'setSearch'>,
  pinning = true,
): TimeView {
  const view = useMemo(() => new TimeView({ extent: [0, 1] }), []);
  useEffect(() => view.setExtent([0, extentS]), [view, extentS]);
  const { t, cursor: pinned } = search as { t: [number, number] | null; cursor: number | null };
  const cursor = pinning ? pinned : null;
  const set = setSearch as SearchState<ViewShape>['setSearch'];

  // Address to view: on arrival, and with the browser's back button.
  useEffect(() => {
    const wanted: Range = t ?? view.extent;
    if (!near(wanted, view.range)) view.show(wanted);
  }, [t, view, extentS]);

  // View to address: one history entry per settled zoom.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = view.subscribe((change) => {
      if (change !== 'range' || view.follow) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!near(view.range, t ?? view.extent)) set({ t: view.zoomed ? [view.range[0], view.range[1]] : null });
      }, SETTLE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [view, t, set]);

  // The pointer moves the cross-hair; when it leaves, the cross-hair goes back to where it was pinned.
  useEffect(() => {
    view.setCursor(cursor);
    return view.subscribe((change) => {
      if (change === 'cursor' && view.cursor === null && cursor !== null) view.setCursor(cursor);
    });
  }, [view, cursor]);

  const commands = useMemo<readonly Command[]>(
    () => [
      {
        id: 'zoom-in',
        title: 'Zoom in',
        group: 'Time axis',
        keys: 'KeyW',
        run: () => view.zoomAt(view.cursor ?? middle(view), ZOOM),
      },
      {
        id: 'zoom-out',
        title: 'Zoom out',
        group: 'Time axis',
        keys: 'KeyS',
        run: () => view.zoomAt(view.cursor ?? middle(view), 1 / ZOOM),
      },
      { id: 'pan-left', title: 'Earlier', group: 'Time axis', keys: 'KeyA', run: () => view.panBy(-PAN * span(view)) },
      { id: 'pan-right', title: 'Later', group: 'Time axis', keys: 'KeyD', run: () => view.panBy(PAN * span(view)) },
      { id: 'zoom-all', title: 'Show everything', group: 'Time axis', keys: '0', run: () => view.reset() },
      { id: 'zoom-back', title: 'Previous zoom', group: 'Time axis', keys: '[', run: () => view.back() },
      { id: 'zoom-forward', title: 'Next zoom', group: 'Time axis', keys: ']', run: () => view.forward() },
      {
        id: 'pin',
        title: 'Pin the cross-hair',
        group: 'Time axis',
        keys: 'm',
        run: () => set({ cursor: view.cursor }, { replace: true }),
      },
      {
        id: 'unpin',
        title: 'Release the cross-hair',
        group: 'Time axis',
        keys: 'Escape',
        run: () => set({ cursor: null }, { replace: true }),
      },
    ],
    [view, set],
  );
  useCommands(commands);
  return view;
}

const span = (view: TimeView): number => view.range[1] - view.range[0];
const middle = (view: TimeView): number => (view.range[0] + view.range[1]) / 2;
