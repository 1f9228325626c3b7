// The frame of every figure: title, what is measured, legend, body, and one menu that saves and shares it.
import { use, useEffect, useId, useState } from 'react';
import { hasEmbed } from './embed';
import { PlotContext } from './plot-context';
import { AddressContext, EngineContext, ProvenanceContext } from './provenance';
import type { Action } from './save-figure';
import { Legend } from './Legend';
import { SpokenTable } from './SpokenTable';
import { Visibility } from './visibility';
import { copyText } from '../ui/copy-button';
import { MenuButton } from '../ui/overlay';
import { pathOf } from '../ui/place';
import { getTheme } from '../theme/theme';
import type { FigureProps } from './figure-props';
import styles from './figure.module.css';

const ENTRIES: readonly { readonly id: Action; readonly label: string }[] = [
  { id: 'svg', label: 'SVG' },
  { id: 'pdf', label: 'PDF' },
  { id: 'png', label: 'PNG, double size' },
  { id: 'csv', label: 'CSV of what is shown' },
  { id: 'tex', label: 'LaTeX table of what is shown' },
  { id: 'snippet', label: 'PDF, and copy LaTeX for it' },
  { id: 'caption', label: 'Copy caption' },
  { id: 'latex-caption', label: 'Copy caption as LaTeX' },
  { id: 'link', label: 'Copy link to this view' },
  { id: 'embed', label: 'Copy embed code' },
];

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
  const plot = use(PlotContext);
  const ofPage = use(AddressContext);
  const address = (): string => link?.() ?? ofPage?.() ?? window.location.href;
  const does = (action: Action) => (): void => {
    const saved = { name, title, subtitle, facts, engine, address: address() };
    const shown = legend.filter((item) => !visibility.isHidden(item.key));
    const drawn = { body, legend: shown, theme: getTheme(), table, plot };
    const doing = async (): Promise<void> => {
      // Few save anything: its code comes when somebody does.
      const made = await (await import('./save-figure')).act(action, saved, drawn);
      if (made === null) return;
      await copyText(made.text);
      setSaid(made.said);
    };
    doing().catch((error: unknown) => setSaid(error instanceof Error ? error.message : String(error)));
  };

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
            entries={ENTRIES.filter(({ id }) => id !== 'embed' || hasEmbed(pathOf(window.location.pathname), plot)).map(
              (entry) => ({
                ...entry,
                onAction: does(entry.id),
              }),
            )}
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
