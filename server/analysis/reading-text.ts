// A measured value with its unit, as read-outs show it.
import { formatBytes, formatDelay, formatMeasured, formatRate, NO_VALUE, UNIT_SPACE } from '#analysis/format';

export function formatReading(value: number, unit: string): string {
  if (Number.isNaN(value)) return NO_VALUE;
  switch (unit) {
    case 'Mbps':
      return formatRate(value);
    case 'B':
      return formatBytes(value);
    case 'ms':
      return formatDelay(value);
    default:
      return unit === '' ? formatMeasured(value) : `${formatMeasured(value)}${UNIT_SPACE}${unit}`;
  }
}
