// The run as its own page shows it, over the one before it.
import { type ReactNode, useCallback, useMemo } from 'react';
import type { CcaDescriptor, EngineListing } from '#protocol/cca';
import type { RunPlotData } from '../../plots/data';
import { OverlaidSamples, overlayLabels, overlayManifest, overlaysOf, type OverlaidRun } from '../../plots/overlay';
import { namesOfFlows } from '../../plots/flows';
import { cx } from '../../ui/cx';
import { Section } from '../../ui/page';
import type { SearchState } from '../../ui/search';
import type { Made } from '../../what-if/make';
import { useOracleHere } from '../../what-if/use-oracle-here';
import { movedText } from '../../what-if/moved-text';
import { RunPanels } from '../run/RunPanels';
import { FlowTable, hasMessages, MessageTable, SummaryStrip } from '../run/RunSummaryView';
import { useSharedVisibility } from '../run/shared-visibility';
import { useSharedView } from '../use-shared-view';
import { isOracleWanted } from '../use-oracles';
import { BeforeAndNow } from './BeforeAndNow';
import type { WHAT_IF_SEARCH } from './what-if-search';
import css from './what-if.module.css';

interface WhatIfRunProps {
  readonly now: Made;
  readonly before: Made | null;
  readonly busy: boolean;
  readonly band: RunPlotData['band'];
  readonly listing: EngineListing;
  readonly searchState: SearchState<typeof WHAT_IF_SEARCH>;
  /** Other algorithms over the same link, drawn with it; their figures are told by whoever asks for them. */
  readonly beside?: readonly Made[];
  /** In place of the strip of figures. */
  readonly figures?: ReactNode;
}

const NONE: readonly Made[] = [];

export function WhatIfRun(props: WhatIfRunProps) {
  const { now, before, busy, band, listing, searchState, beside = NONE, figures } = props;
  const ccas = useMemo(() => new Map(listing.ccas.map((cca) => [cca.id, cca])), [listing]);
  const { search, raw, setSearch, setRaw } = searchState;
  const { manifest } = now.run;
  const view = useSharedView(manifest.duration_s, searchState);
  const setHide = useCallback((hide: string[]) => setSearch({ hide }, { replace: true }), [setSearch]);
  const pin = useCallback((cursor: number) => setSearch({ cursor }, { replace: true }), [setSearch]);
  const visibility = useSharedVisibility(search.hide, setHide);
  const oracle = useOracleHere(manifest, listing, isOracleWanted(raw));
  const shown = useMemo(() => pictured(now, before, beside, ccas), [now, before, beside, ccas]);
  return (
    <div className={css['main']} aria-busy={busy}>
      <div className={cx(busy && css['late'])}>
        {figures !== undefined ? (
          figures
        ) : before === null ? (
          <SummaryStrip manifest={manifest} summary={now.summary} />
        ) : (
          <BeforeAndNow before={before} now={now} moved={movedText(before.spec, now.spec, listing)} />
        )}
      </div>
      <h2 className="visually-hidden">Over time</h2>
      <RunPanels
        id="what-if"
        narrow
        {...shown}
        ccas={ccas}
        oracle={oracle}
        band={band}
        view={view}
        visibility={visibility}
        raw={raw}
        setRaw={setRaw}
        onPin={pin}
      />
      <Section title="Flows" note="From every packet, not from samples.">
        <FlowTable manifest={manifest} summary={now.summary} ccas={ccas} />
      </Section>
      {hasMessages(now.summary) ? (
        <Section title="Messages" note="From birth to the last byte at the receiver.">
          <MessageTable manifest={manifest} summary={now.summary} ccas={ccas} />
        </Section>
      ) : null}
    </div>
  );
}

function pictured(now: Made, before: Made | null, beside: readonly Made[], ccas: ReadonlyMap<string, CcaDescriptor>) {
  if (before === null && beside.length === 0) return { manifest: now.run.manifest, samples: now.store };
  // Beside others each goes by its algorithm.
  const overlaid = ({ run: { manifest }, store }: Made, label: string | null, suffix: string): OverlaidRun => {
    const names = namesOfFlows(manifest, ccas);
    const flows = names.map((name) => name + suffix);
    return { label: label ?? names[0] ?? '', flows, manifest, samples: store };
  };
  // What is looked back at is the last.
  const runs = [
    overlaid(now, beside.length === 0 ? 'now' : null, ''),
    ...beside.map((made) => overlaid(made, null, '')),
    ...(before === null ? [] : [{ ...overlaid(before, 'before', ' · before'), ghost: true }]),
  ] as const;
  return {
    manifest: { ...overlayManifest([...runs]), duration_s: now.run.manifest.duration_s },
    samples: new OverlaidSamples(runs),
    overlays: overlaysOf(runs),
    flowLabels: overlayLabels(runs),
  };
}
