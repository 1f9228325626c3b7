// The frame of every figure: title, what is measured, legend, body, and one menu that saves and shares it.
import { use, useEffect, useId, useState } from 'react';
import { toCsv } from './csv';
import { download } from './download';
import { svgToPng } from './export-png';
import { figureSvg } from './export-svg';
import {
  asRecord,
  captionOf,
  EngineContext,
  ProvenanceContext,
  publicAddress,
  withEngine,
  withProvenance,
  type Provenance,
} from './provenance';
import { Legend } from './Legend';
import { SpokenTable } from './SpokenTable';
import { Visibility } from './visibility';
import { copyText } from '../ui/copy-button';
import { MenuButton } from '../ui/overlay';
import { getTheme } from '../theme/theme';
import type { FigureProps } from './figure-props';
import styles from './figure.module.css';

const NOTHING_HIDDEN = new Visibility();

export function Figure(props: FigureProps) {
  const {
    name,
    title,
    subtitle = '',
    legend = [],
    visibility = NOTHING_HIDDEN,
    table,
    link,
    controls,
    spoken,
    children,
  } = props;
  const [body, setBody] = useState<HTMLDivElement | null>(null);
  const titleId = useId();
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), 2400);
    return () => clearTimeout(timer);
  }, [said]);

  const facts = use(ProvenanceContext);
  const engine = use(EngineContext);
  const provenance = (): Provenance => ({
    facts: withEngine(facts, engine),
    link: publicAddress(link?.() ?? window.location.href),
  });
  const picture = (from: Provenance): ReturnType<typeof figureSvg> | null => {
    if (body === null) return null;
    const shown = legend.filter((item) => !visibility.isHidden(item.key));
    return figureSvg({ body, title, subtitle, legend: shown, theme: getTheme(), provenance: from });
  };
  const save = {
    svg: () => {
      const made = picture(provenance());
      if (made !== null) download(`${name}.svg`, new Blob([made.svg], { type: 'image/svg+xml' }));
    },
    png: async () => {
      const from = provenance();
      const made = picture(from);
      if (made === null) return;
      const texts = [
        { keyword: 'Title', text: title },
        { keyword: 'Description', text: captionOf(from) },
        { keyword: 'Software', text: `Paceline ${asRecord(from)['engine_version'] ?? ''}`.trim() },
        { keyword: 'Source', text: from.link },
        { keyword: 'Comment', text: JSON.stringify(asRecord(from)) },
      ];
      download(`${name}.png`, await svgToPng(made.svg, made.width, made.height, texts));
    },
    csv: () => download(`${name}.csv`, new Blob([toCsv(withProvenance(table(), provenance()))], { type: 'text/csv' })),
    link: async () => {
      await copyText(provenance().link);
      setSaid('Link copied');
    },
  };
  const attempt = (action: () => void | Promise<void>) => () =>
    void Promise.resolve()
      .then(action)
      .catch((error: unknown) => setSaid(error instanceof Error ? error.message : String(error)));

  return (
    <figure className={styles['figure']} aria-labelledby={titleId} data-figure={name}>
      <figcaption className={styles['caption']}>
        <div className={styles['heading']}>
          <h3 id={titleId} className={styles['title']}>
            {title}
          </h3>
          {subtitle !== '' && <p className={styles['subtitle']}>{subtitle}</p>}
        </div>
        {controls !== undefined && <div className={styles['controls']}>{controls}</div>}
        <div className={styles['menu']}>
          <MenuButton
            kind="quiet"
            size="small"
            icon="download"
            aria-label={`Save or share: ${title}`}
            entries={[
              { id: 'svg', label: 'SVG', onAction: attempt(save.svg) },
              { id: 'png', label: 'PNG, double size', onAction: attempt(save.png) },
              { id: 'csv', label: 'CSV of what is shown', onAction: attempt(save.csv) },
              { id: 'link', label: 'Copy link to this view', onAction: attempt(save.link) },
            ]}
          />
        </div>
        <span className={styles['said']} role="status">
          {said}
        </span>
      </figcaption>
      {legend.length > 0 && <Legend items={legend} visibility={visibility} />}
      <div ref={setBody} className={styles['body']}>
        {children}
      </div>
      {spoken === true && <SpokenTable caption={title} table={table} />}
    </figure>
  );
}
