// What tells runs apart before they ran: the fields of their manifests that are not the same in all, grouped as people ask for them.
import { formatChosen, UNIT_SPACE } from '#analysis/format';
import type { RunManifest } from '#protocol/manifest';

type Value = string | number | boolean | null | readonly (string | number | boolean | null)[];

export interface ManifestField {
  /** JSON path: `flows.0.cca.params.beta`. */
  readonly path: string;
  /** In words. */
  readonly label: string;
  /** Of each manifest, as people read it. */
  readonly texts: readonly string[];
}

export interface ManifestGroup {
  readonly title: string;
  readonly fields: readonly ManifestField[];
}

export interface ManifestDifference {
  /** Only what differs; groups in which nothing does are left out. */
  readonly groups: readonly ManifestGroup[];
  readonly equal: readonly ManifestField[];
}

const GROUPS: readonly { readonly title: string; readonly holds: RegExp }[] = [
  { title: 'CCA and parameters', holds: /^flows\.\d+\.cca\./ },
  { title: 'Path and trace', holds: /^(forward|reverse)\.(?!queue\.)/ },
  { title: 'Queue and limit', holds: /^(forward|reverse)\.queue\./ },
  { title: 'Flows and their ends', holds: /^flows\./ },
  { title: 'Seed and repetition', holds: /^(seed|repetition|measurement)$/ },
  { title: 'Engine', holds: /^/ },
];

/** By the end of the path; what has no name here is called by its key. */
const NAMES: readonly (readonly [end: RegExp, name: string])[] = [
  [/\bcca\.id$/, 'algorithm'],
  [/\bcca\.revision$/, 'revision of the program'],
  [/\bcapacity\.kind$/, 'capacity'],
  [/\bcapacity\.name$/, 'trace'],
  [/\bcapacity\.sha256$/, 'trace, by content'],
  [/\bcapacity\.offset_ms$/, 'begins in the trace at'],
  [/\bcapacity\.rate_mbps$/, 'rate'],
  [/\bqueue\.id$/, 'discipline'],
  [/\bqueue\.limit_bytes$/, 'limit in bytes'],
  [/\bqueue\.limit_packets$/, 'limit in packets'],
  [/\bdelay_ms$/, 'one-way delay'],
  [/\bloss$/, 'random loss'],
  [/\bextra_rtt_ms$/, 'extra RTT'],
  [/\bstart_s$/, 'start'],
  [/\bstop_s$/, 'stop'],
  [/\back_every$/, 'packets to an acknowledgement'],
  [/\back$/, 'acknowledges as'],
  [/\bwindow_limit_bytes$/, 'receive window'],
  [/\bsource\.kind$/, 'application'],
  [/\becn$/, 'ECN'],
  [/^engine$/, 'time'],
  [/^path$/, 'packets go through'],
  [/^engine_version$/, 'engine version'],
  [/^duration_s$/, 'duration'],
  [/^sample_period_ms$/, 'sampling period'],
];

/** What manifests leave out where it is the usual. */
const ABSENT = 'not set';

function* leaves(value: unknown, path: string): Generator<[path: string, value: Value]> {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null) {
    yield [path, value as Value];
    return;
  }
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null)) {
    yield [path, value as Value];
    return;
  }
  for (const [key, part] of Object.entries(value)) yield* leaves(part, path === '' ? key : `${path}.${key}`);
}

function labelOf(path: string, flows: number): string {
  const [first = '', second = '', ...rest] = path.split('.');
  const name =
    NAMES.find(([end]) => end.test(path))?.[1] ?? plain(first === 'flows' || rest.length > 0 ? rest : [path]);
  const element = /^(?:forward|reverse)\.path\.(\d+)\./.exec(path);
  const where = [
    ...(first === 'flows' && flows > 1 ? [`flow ${Number(second) + 1}`] : []),
    ...(first === 'reverse' ? ['way back'] : []),
    ...(element === null ? [] : [`element ${Number(element[1]) + 1}`]),
  ];
  return [...where, name].join(', ');
}

/** `params.fast_convergence` → `fast convergence`: what only leads to it is left out. */
const plain = (keys: readonly string[]): string =>
  (keys.at(-1) ?? '').replace(/_(ms|s|bytes|mbps)$/, '').replaceAll('_', ' ');

const UNITS: readonly (readonly [end: RegExp, unit: string])[] = [
  [/_ms$/, 'ms'],
  [/_s$/, 's'],
  [/_bytes$/, 'B'],
  [/_mbps$/, 'Mbps'],
];
/** Of a hash or of a list so much is shown. */
const SHOWN_CHARACTERS = 12;
const SHOWN_VALUES = 3;

function textOf(path: string, value: Value | undefined): string {
  if (value === undefined) return ABSENT;
  if (value === null)
    return /limit_(bytes|packets)$/.test(path) ? 'none' : /stop_s$/.test(path) ? 'with the run' : 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return /sha256$/.test(path) ? value.slice(0, SHOWN_CHARACTERS) : value;
  if (typeof value === 'number') {
    // A seed is a name: its digits are not grouped.
    if (path === 'seed') return String(value);
    const unit = UNITS.find(([end]) => end.test(path))?.[1];
    return unit === undefined ? formatChosen(value) : `${formatChosen(value)}${UNIT_SPACE}${unit}`;
  }
  const shown = value.slice(0, SHOWN_VALUES).join(', ');
  return value.length > SHOWN_VALUES ? `${value.length} values: ${shown} …` : shown;
}

/** Long lists may differ beyond what is shown of them: then the first place where they do. */
function textsOf(path: string, values: readonly (Value | undefined)[]): string[] {
  const texts = values.map((value) => textOf(path, value));
  const [first] = values;
  if (!Array.isArray(first) || new Set(texts).size > 1) return texts;
  const place = first.findIndex((_, i) => values.some((value) => Array.isArray(value) && value[i] !== first[i]));
  if (place < 0) return texts;
  return values.map((value) => `${first.length} values; value ${place + 1}: ${String((value as typeof first)[place])}`);
}

const same = (a: Value | undefined, b: Value | undefined): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((value, i) => value === b[i]) : a === b;

/** In the order in which manifests have them. */
export function manifestDifference(manifests: readonly RunManifest[]): ManifestDifference {
  const all = manifests.map((manifest) => new Map(leaves(manifest, '')));
  const paths = [...new Set(all.flatMap((fields) => [...fields.keys()]))];
  const flows = Math.max(0, ...manifests.map((manifest) => manifest.flows.length));
  const field = (path: string): ManifestField => ({
    path,
    label: labelOf(path, flows),
    texts: textsOf(
      path,
      all.map((fields) => fields.get(path)),
    ),
  });
  const differs = (path: string): boolean => all.some((fields) => !same(fields.get(path), all[0]?.get(path)));
  const groupOf = (path: string): string => GROUPS.find(({ holds }) => holds.test(path))?.title ?? '';
  const apart = paths.filter(differs);
  return {
    groups: GROUPS.map(({ title }) => ({
      title,
      fields: apart.filter((path) => groupOf(path) === title).map(field),
    })).filter(({ fields }) => fields.length > 0),
    equal: paths.filter((path) => !differs(path)).map(field),
  };
}

/** The same runs but for the engine that made them: what it changed can be told. */
export function differOnlyInEngine(manifests: readonly RunManifest[]): boolean {
  const { groups } = manifestDifference(manifests);
  const paths = groups.flatMap(({ fields }) => fields.map(({ path }) => path));
  return paths.length === 1 && paths[0] === 'engine_version';
}
