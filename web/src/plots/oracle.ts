// The delayed-feedback oracle on the time lines of runs: what it does over the same link, drawn like another flow, in its own look.
import { z } from 'zod';
import { identity } from '#analysis/cca-look';
import { FORWARD_LINK_STREAM, receiverStream, senderStream } from '#protocol/columns';
import type { LegendItem } from '../charts/figure-props';
import type { SeriesData, SeriesSpec } from '../charts/types';
import type { OracleCourse, RunPlotData, StreamData } from './data';
import type { Flow } from './flows';
import type { Theme } from '../theme/theme';

/** The switch that figures over time have. */
export const oracleOption = { oracle: z.boolean().default(false).meta({ title: 'Oracle' }) } as const;

const STREAMS = { link: FORWARD_LINK_STREAM, sender: senderStream(0), receiver: receiverStream(0) } as const;
const WIDTH = 1.4;

interface Drawn {
  /** Key in the Visibility store. */
  readonly key: string;
  readonly label: string;
  readonly look: Flow['look'];
  readonly of: (stream: keyof typeof STREAMS) => StreamData | undefined;
}

export interface OracleLines {
  readonly legend: readonly LegendItem[];
  /** Of each oracle that has such a stream. */
  readonly lines: (
    stream: keyof typeof STREAMS,
    what: string,
    unit: string,
    series: (stream: StreamData) => SeriesData,
  ) => SeriesSpec[];
  /** What the subtitle adds: that it is there, or why it is not. */
  readonly note: string;
}

export const coursesOf = ({ oracle }: Pick<RunPlotData, 'oracle'>): readonly OracleCourse[] =>
  oracle?.state === 'known' ? oracle.courses : [];

/** How each is told from the flows, some of which may have its colour, and from each other. */
export function drawnOracles({ ccas, oracle }: RunPlotData, flows: readonly Flow[], theme: Theme): Drawn[] {
  const cca = [...ccas.values()].find(({ kind }) => kind === 'oracle');
  if (cca === undefined) return [];
  const alike = flows.filter((flow) => flow.cca?.identity.slot === cca.identity.slot).length;
  const courses = coursesOf({ oracle });
  return courses.map(({ of, samples }, i) => ({
    key: courses.length === 1 ? 'oracle' : `oracle/${i}`,
    label: courses.length === 1 ? cca.label : `${cca.label} · ${of}`,
    look: identity(cca, theme, alike + i),
    of: (stream) => samples.streams.get(STREAMS[stream]),
  }));
}

const NOTHING: OracleLines = { legend: [], lines: () => [], note: '' };

/** What a subtitle adds of an oracle that somebody has asked for. */
export function noteOf(oracle: RunPlotData['oracle'], drawn = '; the oracle has the link alone'): string {
  switch (oracle?.state) {
    case 'known':
      return drawn;
    case 'refused':
      return `; no oracle: ${oracle.reason}`;
    case 'asked':
      return '; the oracle is being made';
    case undefined:
      return '';
  }
}

/** `shown`: somebody has asked for it. */
export function oracleLines(data: RunPlotData, flows: readonly Flow[], theme: Theme, shown: boolean): OracleLines {
  if (!shown) return NOTHING;
  const drawn = drawnOracles(data, flows, theme);
  return {
    note: noteOf(data.oracle),
    legend: drawn.map(({ key, label, look: { colour, dash } }) => ({ key, label, colour, dash })),
    lines: (stream, what, unit, series) =>
      drawn.flatMap(({ key, label, look, of }): SeriesSpec[] => {
        const own = of(stream);
        return own === undefined
          ? []
          : [
              {
                id: `${key}/${what}`,
                kind: 'line',
                label: what === '' ? label : `${label} ${what}`,
                unit,
                group: key,
                data: series(own),
                style: { colour: look.colour, dash: look.dash, width: WIDTH },
              },
            ];
      }),
  };
}
