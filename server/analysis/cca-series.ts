// A CCA with its parameters as one series of an experiment's figures: its key, its name, its look.
import { ccaLabel } from '#analysis/cca-label';
import { identity, UNKNOWN_IDENTITY, type Identity } from '#analysis/cca-look';
import type { Palette } from '#analysis/palette';
import { queueLabel } from '#analysis/queue-label';
import { ccaKey } from '#analysis/results';
import type { Cell } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import type { BufferSpec } from '#protocol/spec';

export interface CcaSeries {
  /** As #analysis/results calls it. */
  readonly key: string;
  readonly group: string;
  readonly label: string;
  readonly cca: CcaDescriptor | null;
  readonly look: Identity;
}

/** Key of a CCA with its parameters in what is shown and in addresses: without commas. */
export const groupOf = ({ cca }: Pick<Cell, 'cca'>): string =>
  [
    'cca',
    cca.id,
    ...Object.entries(cca.params).map(([name, value]) => `${name}=${value}`),
    ...(cca.queue === undefined ? [] : [`queue=${queueLabel(cca.queue)}`]),
    ...(cca.transport === undefined ? [] : [`transport=${cca.transport}`]),
    ...(cca.window_limit_bytes === undefined ? [] : [`window=${cca.window_limit_bytes}`]),
  ]
    .join(':')
    .replaceAll(',', ';');

/**
 * In the order in which they come, each once; the same CCA with other parameters is told apart as flows of one CCA are. `keyOf`: what
 * makes two of them one.
 */
export function seriesOf<T extends Pick<Cell, 'cca'>>(
  all: Iterable<T>,
  ccas: ReadonlyMap<string, CcaDescriptor>,
  palette: Palette,
  keyOf: (one: T) => string = ccaKey,
): Map<string, CcaSeries> {
  const series = new Map<string, CcaSeries>();
  const seen = new Map<string, number>();
  for (const one of all) {
    const key = keyOf(one);
    if (series.has(key)) continue;
    const cca = ccas.get(one.cca.id) ?? null;
    const nth = seen.get(one.cca.id) ?? 0;
    seen.set(one.cca.id, nth + 1);
    const look = identity(cca ?? UNKNOWN_IDENTITY, palette, nth);
    series.set(key, { key, group: groupOf(one), label: ccaLabel(one, cca), cca, look });
  }
  return series;
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** A queue limit as it fits into a point; what the number counts is said beside the figure. */
export function shortLimit(buffer: BufferSpec): string {
  if ('infinite' in buffer) return '∞';
  if ('bdp' in buffer) return compact.format(buffer.bdp);
  if ('packets' in buffer) return compact.format(buffer.packets);
  if ('bytes' in buffer) return compact.format(buffer.bytes);
  return compact.format(buffer.ms);
}

/** What the numbers in the points count: “BDP”, “packets or ms”. */
export function limitUnit(cells: readonly Pick<Cell, 'buffer'>[]): string {
  const units = new Set(
    cells.flatMap(({ buffer }) =>
      'infinite' in buffer
        ? []
        : 'bdp' in buffer
          ? [buffer.delay === 'link' ? 'BDP (link)' : 'BDP']
          : 'packets' in buffer
            ? ['packets']
            : 'bytes' in buffer
              ? ['bytes']
              : ['ms'],
    ),
  );
  return [...units].join(' or ');
}
