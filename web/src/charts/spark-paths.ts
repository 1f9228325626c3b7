// Small pictures of a run: paths in a box of `width` x `height`, values from zero at its foot to `top`. Null: a gap.

type Values = readonly (number | null)[];

const fixed = (value: number): string => String(Math.round(value * 100) / 100);

/** Runs of values without gaps, as the index of the first and the values. */
function* stretches(values: Values): Generator<{ from: number; values: number[] }> {
  let open: { from: number; values: number[] } | null = null;
  for (const [i, value] of values.entries()) {
    if (value === null) {
      if (open !== null) yield open;
      open = null;
    } else if (open === null) open = { from: i, values: [value] };
    else open.values.push(value);
  }
  if (open !== null) yield open;
}

interface Box {
  readonly width: number;
  readonly height: number;
  readonly top: number;
}

const scale = ({ height, top }: Box, value: number): string =>
  fixed(height * (1 - Math.min(1, Math.max(0, top > 0 ? value / top : 0))));

/** A value per step, joined through the middles of the steps. */
export function sparkLine(values: Values, box: Box): string {
  const step = box.width / values.length;
  return [...stretches(values)]
    .map(({ from, values: own }) => {
      const points = own.map((value, i) => `${fixed((from + i + 0.5) * step)},${scale(box, value)}`);
      // A value alone is a dash: a line needs two ends.
      return points.length === 1
        ? `M${fixed(from * step)},${scale(box, own[0] ?? 0)}h${fixed(step)}`
        : `M${points.join('L')}`;
    })
    .join('');
}

/** A value per step, held over the step, down to the foot. */
export function sparkArea(values: Values, box: Box): string {
  const step = box.width / values.length;
  return [...stretches(values)]
    .map(({ from, values: own }) => {
      const tops = own.map((value, i) => `V${scale(box, value)}H${fixed((from + i + 1) * step)}`);
      return `M${fixed(from * step)},${fixed(box.height)}${tops.join('')}V${fixed(box.height)}Z`;
    })
    .join('');
}

export const sparkTop = (values: Values): number => values.reduce<number>((top, value) => Math.max(top, value ?? 0), 0);
