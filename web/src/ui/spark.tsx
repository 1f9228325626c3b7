// A trace at a glance: mean rates over its period as an area, from zero.
import { useMemo } from 'react';

const WIDTH = 200;
const HEIGHT = 40;

export function Spark({ values, height = 28 }: { readonly values: readonly number[]; readonly height?: number }) {
  const path = useMemo(() => {
    const top = Math.max(...values, 0);
    if (top === 0) return '';
    const x = (i: number): string => ((i * WIDTH) / values.length).toFixed(1);
    const steps = values.map((value, i) => `L${x(i)},${(HEIGHT * (1 - value / top)).toFixed(1)}H${x(i + 1)}`);
    return `M0,${HEIGHT}${steps.join('')}V${HEIGHT}Z`;
  }, [values]);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" height={height} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} fill="var(--capacity-edge)" />
    </svg>
  );
}
