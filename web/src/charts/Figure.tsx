// The frame of every figure: title, what is measured, legend, body, and one menu that saves and shares it.
import { use, useEffect, useId, useState } from 'react';
import { embedAddress, embedCode, pageOfEmbed } from './embed';
import { figureSvg } from './export-svg';
import { PlotContext } from './plot-context';
import { EngineContext, ProvenanceContext, publicAddress, withEngine } from './provenance';
import { captions, saveCsv, saveLatex, savePdf, savePng, saveSvg, type Saved } from './save-figure';
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
  const plot = use(PlotContext);
  const address = (): string => link?.() ?? window.location.href;
  const saved = (): Saved => ({
    name,
    title,
    subtitle,
    from: { facts: withEngine(facts, engine), link: publicAddress(pageOfEmbed(address())) },
  });
  const picture = (of: Saved): ReturnType<typeof figureSvg> => {
    if (body === null) throw new Error('There is nothing to save yet.');
    const shown = legend.filter((item) => !visibility.isHidden(item.key));
    return figureSvg({ body, title, subtitle, legend: shown, theme: getTheme(), provenance: of.from });
  };
  const save = (as: (of: Saved, made: ReturnType<typeof figureSvg>) => void | Promise<void>) => () => {
    const of = saved();
    return as(of, picture(of));
  };
  const copy = async (text: string | Promise<string>, what: string): Promise<void> => {
    await copyText(await text);
    setSaid(`${what} copied`);
  };
  const actions = {
    svg: save(saveSvg),
    pdf: save(savePdf),
    png: save(savePng),
    csv: () => saveCsv(saved(), table()),
    tex: () => saveLatex(saved(), table()),
    snippet: async () => {
      const { figure } = await captions(saved());
      await copyText(figure);
      await save(savePdf)();
      setSaid('PDF saved, LaTeX copied');
    },
    caption: async () => copy((await captions(saved())).text, 'Caption'),
    latexCaption: async () => copy((await captions(saved())).latex, 'Caption'),
    link: () => copy(saved().from.link, 'Link'),
  };
  /** Asked when the menu opens: the address is that of the moment. */
  const embed = (): string | null => embedAddress(pageOfEmbed(address()), plot);
  const embedHere = embed() !== null;
  const copyEmbed = async (): Promise<void> => {
    const height = body?.closest('figure')?.getBoundingClientRect().height ?? 0;
    await copy(embedCode(embed() ?? address(), title, height), 'Embed code');
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
              { id: 'svg', label: 'SVG', onAction: attempt(actions.svg) },
              { id: 'pdf', label: 'PDF', onAction: attempt(actions.pdf) },
              { id: 'png', label: 'PNG, double size', onAction: attempt(actions.png) },
              { id: 'csv', label: 'CSV of what is shown', onAction: attempt(actions.csv) },
              { id: 'tex', label: 'LaTeX table of what is shown', onAction: attempt(actions.tex) },
              { id: 'snippet', label: 'PDF, and copy LaTeX for it', onAction: attempt(actions.snippet) },
              { id: 'caption', label: 'Copy caption', onAction: attempt(actions.caption) },
              { id: 'latex-caption', label: 'Copy caption as LaTeX', onAction: attempt(actions.latexCaption) },
              { id: 'link', label: 'Copy link to this view', onAction: attempt(actions.link) },
              ...(embedHere ? [{ id: 'embed', label: 'Copy embed code', onAction: attempt(copyEmbed) }] : []),
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
