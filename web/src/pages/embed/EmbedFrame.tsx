// Around a figure that stands alone: its source, its height told to the page around it, and what to say when there is no such figure.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { pageOfEmbed } from '../../charts/embed-code';
import { plotOptions } from '../plot-options';
import { PlotView } from '../../plots/plot-view';
import type { Need, Plot, PlotData } from '../../plots/registry';
import { Notice, ProblemNotice, Skeleton } from '../../ui/notice';
import type { RawSearch } from '../../ui/search';
import { tellHeight } from './tell-height';
import type { EmbedSearch } from './use-embed-search';
import css from './embed.module.css';

interface EmbedFrameProps {
  /** What it is a figure of; null: not known (yet). */
  readonly name: string | null;
  /** All that it shows is there. */
  readonly ready: boolean;
  readonly children: ReactNode;
}

export function EmbedFrame({ name, ready, children }: EmbedFrameProps) {
  const frame = useRef<HTMLElement>(null);
  // Texts have their widths when their font is there.
  const [lettered, setLettered] = useState(false);
  useEffect(() => void document.fonts.ready.then(() => setLettered(true)), []);
  useEffect(() => (frame.current === null ? undefined : tellHeight(frame.current)), []);
  useEffect(() => {
    document.title = name === null ? 'Paceline' : `${name} – Paceline`;
  }, [name]);
  return (
    <main ref={frame} className={css['embed']} data-embed={ready && lettered ? 'ready' : 'loading'}>
      <h1 className="visually-hidden">{name ?? 'Paceline'}</h1>
      <h2 className="visually-hidden">Figure</h2>
      {children}
      <p className={css['source']}>
        <a href={pageOfEmbed(window.location.href)} target="_blank" rel="noopener noreferrer">
          {name ?? 'Open in Paceline'}
        </a>
        <span>Paceline</span>
      </p>
    </main>
  );
}

export const EmbedProblem = ({ error }: { readonly error: unknown }) => (
  <EmbedFrame name={null} ready>
    <ProblemNotice error={error} />
  </EmbedFrame>
);

export const EmbedLoading = () => (
  <EmbedFrame name={null} ready={false}>
    <Skeleton height={240} />
  </EmbedFrame>
);

interface EmbeddedProps<N extends Need> {
  readonly plots: readonly Plot<N>[];
  readonly plot: string;
  readonly data: PlotData[N];
  readonly raw: RawSearch;
  readonly setRaw: EmbedSearch['setRaw'];
}

const applies = <N extends Need>(plot: Plot<N>, data: PlotData[N]): boolean => plot.applies?.(data) ?? true;

/** The figure of that name. Who opens it wants to see it: it waits for nobody to ask or to scroll. */
export function Embedded<N extends Need>({ plots, plot: id, data, raw, setRaw }: EmbeddedProps<N>) {
  const found = plots.find((plot) => plot.id === id);
  if (found === undefined || !applies(found, data)) {
    const others = plots.filter((plot) => applies(plot, data));
    return (
      <Notice
        kind="warning"
        title={found === undefined ? 'There is no such figure of it' : 'It has nothing to show in this figure'}
      >
        There are
        <ul>
          {others.map((plot) => (
            <li key={plot.id}>
              <a href={window.location.pathname.replace(/[^/]+\/?$/, plot.id)} data-plot-id={plot.id}>
                {plot.title}
              </a>
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  const { whenAsked: _asked, whenSeen: _seen, ...plot } = found;
  return (
    <div data-options={Object.keys(plot.options.shape).join(' ')}>
      <PlotView plot={plot} data={data} {...plotOptions(id, raw, setRaw)} />
    </div>
  );
}
