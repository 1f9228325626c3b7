// A quantile to read off several distributions: chosen on a slider, told for each.
import { delayQuantile } from '#analysis/delay-distribution';
import { formatDelay } from '../ui/format';
import { LabelledSlider } from '../ui/slider';
import { quantileName, QUANTILES } from './quantiles';
import type { TailCurve } from './Tails';
import styles from './quantile.module.css';

interface QuantileReadoutProps {
  readonly quantile: (typeof QUANTILES)[number];
  readonly onQuantile: (quantile: (typeof QUANTILES)[number]) => void;
  readonly curves: readonly TailCurve[];
}

export function QuantileReadout({ quantile, onQuantile, curves }: QuantileReadoutProps) {
  const place = QUANTILES.indexOf(quantile);
  return (
    <div className={styles['readout']}>
      <LabelledSlider
        label="Quantile"
        output={quantileName(Number(quantile))}
        minValue={0}
        maxValue={QUANTILES.length - 1}
        step={1}
        value={place}
        onChange={(to) => onQuantile(QUANTILES[to] ?? quantile)}
      />
      <dl className={styles['values']}>
        {curves.map(({ key, label, look, delays }) => (
          <div key={key}>
            <dt>
              <i style={{ background: look.colour }} />
              {label}
            </dt>
            <dd>{formatDelay(delayQuantile(delays, Number(quantile)))}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
