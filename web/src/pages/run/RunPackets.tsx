// A window of a run packet by packet: how the queue fills, what flies over the link, what is lost and sent again.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { PACKET_LIMITS } from '#protocol/packets';
import type { RunRecord } from '#protocol/api';
import { packetsQuery } from '../../api/packets';
import { useTimeView, type TimeView } from '../../charts/time-view';
import type { Visibility } from '../../charts/visibility';
import type { PacketFacts } from '../../packets/facts';
import { Playhead } from '../../packets/playhead';
import type { CcaListing, PacketPlotData } from '../../plots/data';
import { PACKET_PLOTS } from '../../plots/packets-plots';
import { PlotView } from '../../plots/plot-view';
import { Button, IconButton } from '../../ui/button';
import { formatChosen, formatCount, UNIT_SPACE } from '../../ui/format';
import { Notice, ProblemNotice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { FigureSkeleton } from '../../ui/page-skeleton';
import type { RawSearch, SearchShape, SearchState } from '../../ui/search';
import { plotOptions } from '../plot-options';
import { PacketBar } from './PacketBar';
import { readable, shifted, windowFor, type PacketSearch, type Slowness } from './packet-search';
import css from './packets.module.css';

export interface RunPacketsProps {
  readonly run: RunRecord;
  readonly ccas: CcaListing;
  readonly view: TimeView;
  readonly visibility: Visibility;
  /** Where the replay stands. */
  readonly at: number | null;
  readonly shown: readonly [number, number] | null;
  readonly moment: number | null;
  readonly slow: Slowness | '';
  readonly raw: RawSearch;
  readonly setRaw: SearchState<SearchShape>['setRaw'];
  readonly setSearch: SearchState<PacketSearch>['setSearch'];
}

const spanText = ([from, to]: readonly [number, number]): string =>
  `${formatChosen(from)} to ${formatChosen(to)}${UNIT_SPACE}s`;

export function RunPackets(props: RunPacketsProps) {
  const { run, view, at, shown, setSearch } = props;
  const { duration_s } = run.manifest;
  const range = useTimeView(view, (own) => own.range);
  const wanted = windowFor(run, range, at);
  // Who has moved the replay or zoomed since wants to see that.
  const elsewhere = at !== null || range[1] - range[0] < 0.9 * duration_s;
  const show = (packets: [number, number] | null): void => setSearch({ packets, moment: null });
  return (
    <Section
      title="Packets"
      note="The engine makes the run again and tells what became of every packet; its figures must be the very ones that are stored."
      aside={
        shown === null ? null : (
          <div className={css['moves']}>
            <IconButton
              icon="left"
              label="The window before"
              isDisabled={shown[0] <= 0}
              onPress={() => show(shifted(shown, -1, duration_s))}
            />
            <IconButton
              icon="chevron"
              label="The next window"
              isDisabled={shown[1] >= duration_s}
              onPress={() => show(shifted(shown, 1, duration_s))}
            />
            <IconButton icon="close" label="Show no packets" onPress={() => show(null)} />
          </div>
        )
      }
    >
      {shown === null || (elsewhere && String(wanted) !== String(shown)) ? (
        <div className={css['choice']}>
          <Button icon="play" onPress={() => show(wanted)}>
            Packets from {spanText(wanted)}
          </Button>
          {shown === null ? <span>Zoom into a figure, or move the replay, to choose other ones.</span> : null}
        </div>
      ) : null}
      {shown === null ? null : <Shown {...props} shown={shown} />}
    </Section>
  );
}

function Shown({ shown, ...props }: RunPacketsProps & { readonly shown: readonly [number, number] }) {
  const { data, error, refetch } = useQuery(packetsQuery(props.run.id, shown));
  if (error !== null)
    return (
      <ProblemNotice
        error={error}
        actions={
          <Button size="small" icon="retry" onPress={() => void refetch()}>
            Try again
          </Button>
        }
      />
    );
  if (data === undefined)
    return (
      <div className={css['figures']} aria-busy="true" aria-label="The run is made again">
        <FigureSkeleton height={210} />
        <FigureSkeleton height={320} />
      </div>
    );
  if (data.packets.count + data.acks.count === 0)
    return (
      <Notice title="Nothing is under way then">
        <div>
          No packet and no acknowledgement from {spanText(shown)}; the run lasts{' '}
          {formatChosen(props.run.manifest.duration_s)}
          {UNIT_SPACE}s.
        </div>
      </Notice>
    );
  return <Told key={String(shown)} facts={data} {...props} />;
}

/** What a person does not follow needs no place in the address. */
const SETTLE_MS = 300;

function Told({ facts, ...props }: Omit<RunPacketsProps, 'shown'> & { readonly facts: PacketFacts }) {
  const { run, ccas, visibility, moment, slow, raw, setRaw, setSearch } = props;
  const speed = slow === '' ? readable(run.manifest) : slow;
  const playhead = useMemo(
    () => new Playhead({ from_s: facts.from_s, to_s: facts.to_s, speed: 1 }),
    [facts.from_s, facts.to_s],
  );
  useEffect(() => playhead.setSpeed(Number(speed)), [playhead, speed]);
  useEffect(() => () => playhead.pause(), [playhead]);
  // On arrival, and with the browser's way back.
  useEffect(() => {
    if (!playhead.getState().playing) playhead.seek(moment ?? facts.from_s);
  }, [playhead, moment, facts.from_s]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = (): void => {
      clearTimeout(timer);
      if (playhead.getState().playing) return;
      timer = setTimeout(() => {
        const place = playhead.getAt();
        setSearch({ moment: place === playhead.from_s ? null : place }, { replace: true });
      }, SETTLE_MS);
    };
    const stops = [playhead.subscribeAt(rest), playhead.subscribeState(rest)];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [playhead, setSearch]);
  const data = useMemo<PacketPlotData>(
    () => ({ id: run.id, manifest: run.manifest, ccas, facts, playhead, visibility }),
    [run.id, run.manifest, ccas, facts, playhead, visibility],
  );
  return (
    <>
      {facts.complete_until_s >= facts.to_s ? null : (
        <Notice kind="warning" title="There are more packets than can be shown">
          <div>
            {`${formatCount(PACKET_LIMITS.packets)} of them reach to ${formatChosen(facts.complete_until_s)}${UNIT_SPACE}s: what was sent later is not there. Choose a shorter window.`}
          </div>
        </Notice>
      )}
      <PacketBar
        playhead={playhead}
        facts={facts}
        speed={speed}
        onSpeed={(chosen) => setSearch({ slow: chosen }, { replace: true })}
      />
      <div className={css['figures']}>
        {PACKET_PLOTS.map((plot) => (
          <PlotView key={plot.id} plot={plot} data={data} {...plotOptions(plot.id, raw, setRaw)} />
        ))}
      </div>
    </>
  );
}
