// Packets on their way: the queue as it fills, packets over the link, acknowledgements back, and what is dropped or lost.
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { z } from 'zod';
import { leastDelayMs } from '#protocol/base-rtt';
import { Figure } from '../charts/Figure';
import { download } from '../charts/download';
import { cancelDraw, requestDraw } from '../charts/frame-loop';
import { inlineSvg } from '../charts/inline-svg';
import { paint } from '../charts/painted';
import { CanvasSurface, SvgSurface, type Surface } from '../charts/surface';
import { setUnderlay } from '../charts/underlay';
import { useVisibility } from '../charts/visibility';
import { drawScene } from '../packets/draw-scene';

import { deepest, geometryOf, sceneAt, type Geometry } from '../packets/scene';
import type { Theme } from '../theme/theme';
import { Button } from '../ui/button';
import { formatBytes, formatChosen, formatCount, formatMeasured, UNIT_SPACE } from '../ui/format';
import type { PacketPlotData } from './data';
import { flowsOf } from './flows';
import { packetRows } from './packet-rows';
import { PathPicture } from './PathPicture';
import { definePlot, type PlotProps } from './registry';
import { flowLegend } from './run-plot';
import styles from './packets.module.css';

const options = z.object({});
type Options = z.output<typeof options>;

const MTU_BYTES = 1500;

/** How many packets the queue may hold, as its limit says it and as a number; null: without end. */
function limitOf({ manifest }: PacketPlotData): { readonly words: string; readonly packets: number } | null {
  const { limit_packets, limit_bytes } = manifest.forward.queue;
  if (limit_packets !== null) return { words: `${formatChosen(limit_packets)} packets`, packets: limit_packets };
  return limit_bytes === null
    ? null
    : { words: formatBytes(limit_bytes), packets: Math.floor(limit_bytes / MTU_BYTES) };
}

/** Much larger than what ever waits, the whole queue would be drawn as nothing. */
const MOSTLY_EMPTY = 4;

function pathGeometry(data: PacketPlotData, width: number, height: number): Geometry {
  const waits = deepest(data.facts);
  const limit = limitOf(data)?.packets ?? Infinity;
  const places = limit > MOSTLY_EMPTY * waits ? waits * 1.2 : limit;
  const delay_s = Math.max(leastDelayMs(data.manifest.forward), 1) / 1000;
  return geometryOf({ width, height, places, flows: data.manifest.flows.length, delay_s });
}

function Path({ data, size, theme }: PlotProps<'packets', Options>) {
  const { facts, playhead, visibility } = data;
  const flows = useMemo(() => flowsOf(data, new Map(), theme), [data, theme]);
  const { hidden } = useVisibility(visibility);
  const colours = useMemo(() => flows.map(({ key, look }) => (hidden.has(key) ? null : look.colour)), [flows, hidden]);
  const geometry = useMemo(() => pathGeometry(data, size.width, size.height), [data, size.width, size.height]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const svg = useRef<SVGSVGElement>(null);

  useLayoutEffect(() => {
    const drawOn = (surface: Surface): void =>
      drawScene(surface, sceneAt(facts, playhead.getAt(), geometry), colours, theme, geometry);
    const draw = (): void => {
      if (canvas.current !== null)
        paint(canvas.current, geometry.width, geometry.height, (ctx) => drawOn(new CanvasSurface(ctx)));
    };
    draw();
    if (svg.current !== null)
      setUnderlay(svg.current, () => {
        const surface = new SvgSurface('packets');
        drawOn(surface);
        return surface.toString();
      });
    const stop = playhead.subscribeAt(() => requestDraw(draw));
    return () => {
      stop();
      cancelDraw(draw);
    };
  }, [facts, playhead, geometry, colours, theme]);

  const { packets } = facts;
  const dropped = packets.fate.filter((fate) => fate === 'dropped').length;
  const span = `${formatMeasured(facts.from_s, 4)} to ${formatMeasured(facts.to_s, 4)}${UNIT_SPACE}s`;
  return (
    <Figure
      name={`${data.id}-packets`}
      title="Packets on their way"
      subtitle="the queue in order of arrival; taller: retransmissions; a cross falls where one is dropped or lost"
      legend={flowLegend(flows)}
      visibility={visibility}
      spoken
      table={() => packetRows(data, visibility.state.hidden)}
      controls={<SaveMoving save={() => saveMoving({ data, geometry, colours, theme, svg: svg.current })} />}
    >
      <div className={styles['frame']}>
        <canvas ref={canvas} className={styles['painted']} style={{ width: geometry.width, height: geometry.height }} />
        <svg
          ref={svg}
          width={geometry.width}
          height={geometry.height}
          data-figure-part=""
          role="img"
          aria-label={`${formatCount(packets.count)} packets from ${span}, ${formatCount(dropped)} dropped by the queue`}
        >
          <PathPicture geometry={geometry} limit={limitOf(data)?.words ?? null} />
        </svg>
      </div>
    </Figure>
  );
}

interface Moving {
  readonly data: PacketPlotData;
  readonly geometry: Geometry;
  readonly colours: readonly (string | null)[];
  readonly theme: Theme;
  readonly svg: SVGSVGElement | null;
}

/** As it moves on the page: for a slide, where there is no page. Throws when there is too much. */
async function saveMoving({ data, geometry, colours, theme, svg }: Moving): Promise<void> {
  const { facts, playhead } = data;
  const { animatedSvg, MOST_MOVERS } = await import('../packets/animated-svg');
  const movers = facts.packets.count + facts.acks.count;
  if (movers > MOST_MOVERS)
    throw new Error(
      `${formatCount(movers)} packets and acknowledgements are more than a picture can move (${formatCount(MOST_MOVERS)}): choose a shorter window.`,
    );
  const drawn = svg === null ? null : inlineSvg(svg);

  const title = `Packets on their way, run ${data.id}, ${facts.from_s} to ${facts.to_s} s, at ${playhead.getState().speed} of real time`;
  // What stands still, as XML: as HTML it would have entities that SVG does not know.
  const xml = new XMLSerializer();
  const still = [...(drawn?.children ?? [])].map((part) => xml.serializeToString(part)).join('');
  const text = animatedSvg({ facts, geometry, colours, theme, still, speed: playhead.getState().speed, title });
  download(`${data.id}-packets-moving.svg`, new Blob([text], { type: 'image/svg+xml' }));
}

function SaveMoving({ save }: { readonly save: () => Promise<void> }) {
  const [said, setSaid] = useState('');
  const press = (): void => {
    setSaid('');
    save().catch((error: unknown) => setSaid(error instanceof Error ? error.message : String(error)));
  };
  return (
    <span className={styles['save']}>
      <span role="status">{said}</span>
      <Button size="small" kind="quiet" icon="download" onPress={press}>
        Moving SVG
      </Button>
    </span>
  );
}

export const plot = definePlot({
  id: 'packets',
  title: 'Packets on their way',
  needs: 'packets',
  order: 10,
  height: 210,
  options,
  table: (data, _, { hidden }) => packetRows(data, hidden),
  Component: Path,
});
