// What a cell's small picture shows: the rate over the capacity, and below it the queue as a share of its limit. Painted, because a page
// shows dozens at a time and each as an SVG would be several elements.
import { useLayoutEffect, useMemo } from 'react';
import type { RunSpark } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { identity, UNKNOWN_IDENTITY } from '#analysis/cca-look';
import { paint } from '../../charts/painted';
import { sparkArea, sparkLine, sparkTop } from '../../charts/spark-paths';
import { useTheme } from '../../theme/theme';
import { useWidth } from '../../ui/use-width';
import css from './cell-sparks.module.css';

/** The pixels that the picture has; as many as its style gives it. */
const HEIGHT = 43;
const RATE = 27;
const QUEUE = 13;

interface CellPictureProps {
  readonly spark: RunSpark;
  readonly limit: number | null;
  readonly cca: CcaDescriptor | undefined;
}

export function CellPicture({ spark, limit, cca }: CellPictureProps) {
  const [canvas, width] = useWidth<HTMLCanvasElement>();
  const theme = useTheme();
  const { colour } = identity(cca ?? UNKNOWN_IDENTITY, theme);
  const paths = useMemo(() => {
    const { capacity_mbps: capacity, delivered_mbps: delivered, queue_bytes: queue } = spark;
    // A little air above: a line at the top would be cut in half.
    const rate = { width, height: RATE, top: 1.05 * Math.max(sparkTop(capacity), sparkTop(delivered)) };
    return {
      capacity: sparkArea(capacity, rate),
      delivered: sparkLine(delivered, rate),
      // A queue without a limit is as high as it became.
      queue: sparkArea(queue, { width, height: QUEUE, top: limit ?? sparkTop(queue) }),
    };
  }, [spark, limit, width]);
  useLayoutEffect(() => {
    if (canvas.current !== null && width > 0)
      paint(canvas.current, width, HEIGHT, (ctx) => {
        ctx.fillStyle = theme.capacity;
        ctx.fill(new Path2D(paths.capacity));
        ctx.strokeStyle = colour;
        ctx.lineWidth = 1.3;
        ctx.stroke(new Path2D(paths.delivered));
        ctx.translate(0, HEIGHT - QUEUE);
        ctx.globalAlpha = 0.45;
        ctx.fillStyle = theme.ink3;
        ctx.fill(new Path2D(paths.queue));
      });
  }, [canvas, paths, width, theme, colour]);
  return <canvas ref={canvas} className={css['picture']} aria-hidden="true" />;
}
