// The flows of a run as figures see them: their look, their name, their streams, and when things happened to them.
import { changedParams } from '#analysis/params';
import { ccaLabel } from '#analysis/cca-label';
import { receiverStream, senderStream, FORWARD_LINK_STREAM } from '#protocol/columns';
import type { CcaDescriptor } from '#protocol/cca';
import type { RunEvent } from '#protocol/control';
import type { RunManifest } from '#protocol/manifest';
import type { CcaRef } from '#protocol/spec';
import { identity, occurrences, UNKNOWN_IDENTITY, type Identity } from '#analysis/cca-look';
import type { Theme } from '../theme/theme';
import { ghostOf } from './ghost';
import type { RunPlotData, RunSamples, StreamData } from './data';

type Streams = ReadonlyMap<number, StreamData>;

export interface Flow {
  readonly index: number;
  /** Key in the Visibility store. */
  readonly key: string;
  readonly label: string;
  readonly cca: CcaDescriptor | undefined;
  readonly look: Identity;
  readonly sender: StreamData | undefined;
  readonly receiver: StreamData | undefined;
}

/** A flow's CCA as its experiment calls it: a manifest has all parameters, people want to read those that were changed. */
export function labelOfFlow({ id, params }: CcaRef, ccas: ReadonlyMap<string, CcaDescriptor>): string {
  const cca = ccas.get(id);
  return cca === undefined ? id : ccaLabel({ cca: { id, params: changedParams(params, cca.params) } }, cca);
}

/** What the flows of a run are called: numbered where several are alike. */
export function namesOfFlows({ flows }: RunManifest, ccas: ReadonlyMap<string, CcaDescriptor>): string[] {
  const names = flows.map(({ cca }) => labelOfFlow(cca, ccas));
  const nth = occurrences(names);
  return names.map((name, i) => {
    const alone = names.filter((other) => other === name).length === 1;
    return alone ? name : `${name} ${(nth[i] ?? 0) + 1}`;
  });
}

type NamedFlows = Pick<RunPlotData, 'manifest' | 'ccas' | 'flowLabels' | 'overlays'>;

const flowKey = (index: number): string => `flow:${index}`;

/** Where the flows begin that are only looked back at; they are the last. */
const firstGhost = (overlays: RunPlotData['overlays']): number =>
  overlays?.find(({ ghost = false }) => ghost)?.firstFlow ?? Infinity;

/** Each flow of a run that is looked back at has the look of the one whose past it is. */
function looksOf({ manifest, ccas, overlays }: NamedFlows, theme: Theme): Identity[] {
  const ids = manifest.flows.map(({ cca }) => cca.id);
  const ghosts = Math.min(firstGhost(overlays), ids.length);
  const nth = [...occurrences(ids.slice(0, ghosts)), ...occurrences(ids.slice(ghosts))];
  return ids.map((id, index) => {
    const look = identity(ccas.get(id) ?? UNKNOWN_IDENTITY, theme, nth[index]);
    return index < ghosts ? look : { ...look, colour: ghostOf(look.colour, theme) };
  });
}

/** Groups of flows that are only looked back at. */
export const ghostGroups = ({ manifest, overlays }: Pick<RunPlotData, 'manifest' | 'overlays'>): ReadonlySet<string> =>
  new Set(manifest.flows.flatMap((_, index) => (index < firstGhost(overlays) ? [] : [flowKey(index)])));

export function flowsOf(data: NamedFlows, streams: Streams, theme: Theme): Flow[] {
  const { manifest, ccas, flowLabels } = data;
  const looks = looksOf(data, theme);
  const names = flowLabels ?? namesOfFlows(manifest, ccas);
  return manifest.flows.map(({ cca: { id } }, index) => {
    const cca = ccas.get(id);
    return {
      index,
      key: flowKey(index),
      label: names[index] ?? id,
      cca,
      look: looks[index] ?? identity(UNKNOWN_IDENTITY, theme),
      sender: streams.get(senderStream(index)),
      receiver: streams.get(receiverStream(index)),
    };
  });
}

export const forwardLink = (streams: Streams): StreamData | undefined => streams.get(FORWARD_LINK_STREAM);

/** Mean capacity, Mbps: exact for a constant rate; for a trace what the page knows of it, else the mean of a finished run. */
export function meanCapacityMbps({ manifest, meanCapacity }: RunPlotData): number | null {
  const { capacity } = manifest.forward;
  return capacity.kind === 'constant' ? capacity.rate_mbps : (meanCapacity ?? null);
}

class EventTimes {
  readonly #times = new Map<string, number[]>();
  readonly #events: readonly RunEvent[];
  #seen = 0;

  constructor(samples: RunSamples) {
    this.#events = samples.events;
    this.#sort();
    samples.subscribe(() => this.#sort());
  }

  of(flow: RunEvent['flow'], event: RunEvent['event']): readonly number[] {
    const key = `${flow ?? 'link'}/${event}`;
    let times = this.#times.get(key);
    if (times === undefined) {
      times = [];
      this.#times.set(key, times);
    }
    return times;
  }

  #sort(): void {
    for (; this.#seen < this.#events.length; this.#seen++) {
      const event = this.#events[this.#seen];
      if (event === undefined) continue;
      (this.of(event.flow, event.event) as number[]).push(event.time_s);
    }
  }
}

const eventTimes = new WeakMap<RunSamples, EventTimes>();

/** Times of one kind of event of a flow, or of the link (null); the array grows in place. */
export function timesOf(samples: RunSamples, flow: RunEvent['flow'], event: RunEvent['event']): readonly number[] {
  let times = eventTimes.get(samples);
  if (times === undefined) {
    times = new EventTimes(samples);
    eventTimes.set(samples, times);
  }
  return times.of(flow, event);
}
