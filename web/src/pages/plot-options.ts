// A figure's options in the address: `frontier.x=log` belongs to the figure `frontier`.
import type { RawSearch, SearchState, SearchShape } from '../ui/search';

const value = (text: string): unknown => {
  if (text === 'true') return true;
  if (text === 'false') return false;
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
};

/** What PlotView needs to read its options from the address and to write them there. */
export function plotOptions(
  plot: string,
  raw: RawSearch,
  setRaw: SearchState<SearchShape>['setRaw'],
): { options: Record<string, unknown>; onOptions: (options: Record<string, unknown>) => void } {
  const prefix = `${plot}.`;
  const mine = Object.keys(raw).filter((key) => key.startsWith(prefix));
  return {
    options: Object.fromEntries(mine.map((key) => [key.slice(prefix.length), value(raw[key] ?? '')])),
    onOptions: (options) =>
      setRaw({
        ...Object.fromEntries(mine.map((key) => [key, undefined])),
        ...Object.fromEntries(Object.entries(options).map(([key, option]) => [prefix + key, String(option)])),
      }),
  };
}
