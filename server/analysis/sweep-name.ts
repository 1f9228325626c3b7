// What a swept parameter is called.

/** In the path of a sweep: all entries of a list. */
export const ALL = '*';

const nth = (place: string): string => String(Number(place) + 1);

/** A swept parameter as a heading: “delta of copa”, “extra_rtt_ms of flow 2”. */
export function sweepName(path: string): string {
  const [root = '', of = '', ...rest] = path.split('.');
  const what = rest.filter((part) => part !== 'params').join('.');
  if (root === 'ccas') return `${what} of ${of === ALL ? 'all algorithms' : of}`;
  if (root === 'queues') return `${what} of ${of === ALL ? 'all disciplines' : of}`;
  if (root === 'flows' && what === 'cca.id') return `algorithm of flow ${nth(of)}`;
  if (root === 'flows') return `${what} of ${of === ALL ? 'all flows' : `flow ${nth(of)}`}`;
  if (root !== 'elements') return `${of} of the way back`;
  const [place = '', ...field] = what.split('.');
  return `${field.join('.')} of element ${nth(place)}${of === 'reverse' ? ' of the way back' : ''}`;
}

/** The flow whose algorithm is swept: what the chosen ones meet; null: something else is. */
export function metFlow(path: string): number | null {
  const [, place] = /^flows\.(\d+)\.cca\.id$/.exec(path) ?? [];
  return place === undefined ? null : Number(place);
}
