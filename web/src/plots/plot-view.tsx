// The frame every page puts around a plot: checks its options, measures the room, and gives it the theme.
import { use, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { PlotContext } from '../charts/plot-context';
import { ProvenanceContext } from '../charts/provenance';
import { Button } from '../ui/button';
import { parseOptions } from './options';
import { ownerFacts, OwnersContext, provenanceOf } from './provenance';
import { useTheme } from '../theme/theme';
import type { Need, Plot, PlotData } from './registry';

export interface PlotViewProps<N extends Need> {
  readonly plot: Plot<N>;
  readonly data: PlotData[N];
  /** Raw options, as from a URL; what does not fit falls back to the default. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Called with the options that differ from their defaults: what the URL should carry. */
  readonly onOptions?: (options: Record<string, unknown>) => void;
  readonly height?: number;
}

/**
 * What title, subtitle and legend take of a figure that is drawn when it is seen: what stands below must not move then, under somebody's
 * finger.
 */
const captionHeight = (width: number): number => (width < 600 ? 96 : 52);

/** Whether it was ever in sight; on paper everything is. */
function useSeen(frame: RefObject<Element | null>, fromTheStart: boolean): boolean {
  const [seen, setSeen] = useState(fromTheStart || typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (seen || frame.current === null) return;
    const show = (): void => setSeen(true);
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) show();
    });
    observer.observe(frame.current);
    window.addEventListener('beforeprint', show);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', show);
    };
  }, [frame, seen]);
  return seen;
}

const NO_OPTIONS: Readonly<Record<string, unknown>> = {};

export function PlotView<N extends Need>({ plot, data, options: given, onOptions, height }: PlotViewProps<N>) {
  const theme = useTheme();
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [own, setOwn] = useState<Record<string, unknown>>({});
  const { options: schema, Component } = plot;
  const raw = onOptions === undefined ? own : (given ?? NO_OPTIONS);
  const options = useMemo(() => parseOptions(schema, raw).all, [schema, raw]);
  const seen = useSeen(frame, plot.whenSeen !== true);
  // Who sends a link to it as it was set wants to show it.
  const [asked, setAsked] = useState(plot.whenAsked !== true || Object.keys(given ?? NO_OPTIONS).length > 0);

  const owners = use(OwnersContext);
  const facts = useMemo(() => [...provenanceOf(plot.needs, data), ...ownerFacts(owners)], [plot.needs, data, owners]);

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    // A figure that is hidden for a moment (a page being printed or resized) keeps its size, and with it what it has loaded.
    const measure = (): void => setWidth((last) => element.clientWidth || last);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  const setOptions = (change: Record<string, unknown>): void => {
    const next = parseOptions(schema, { ...options, ...change }).changed;
    if (onOptions === undefined) setOwn(next);
    else onOptions(next);
  };

  return (
    <div
      ref={frame}
      data-plot={plot.id}
      style={seen ? undefined : { minHeight: (height ?? plot.height) + captionHeight(width) }}
    >
      {asked ? null : (
        <Button kind="quiet" onPress={() => setAsked(true)}>
          {plot.title}
        </Button>
      )}
      {asked && seen && width > 0 && (
        <PlotContext value={plot}>
          <ProvenanceContext value={facts}>
            <Component
              data={data}
              options={options}
              setOptions={setOptions}
              size={{ width, height: height ?? plot.height }}
              theme={theme}
            />
          </ProvenanceContext>
        </PlotContext>
      )}
    </div>
  );
}
