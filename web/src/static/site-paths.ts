// Which answers the site has as files: nobody asks its host for what cannot be there.
import { z } from 'zod';
import { PARTLY, SITE_ANSWERS, SITE_FILE, StaticSite } from '#protocol/static-site';
import { BASE } from '../ui/place';
import { siteList } from './files';
import { siteRows } from './kept/site-runs';

const OF_ALL = [...SITE_ANSWERS, '/ccas', '/traces', '/experiments'];

const Listed = z.record(z.string(), z.array(z.looseObject({ id: z.string().optional(), slug: z.string().optional() })));

/** Ids of a list of the site. */
async function idsOf(path: string): Promise<readonly string[]> {
  const found = Listed.nullable().parse(await siteList(path));
  return Object.values(found ?? {}).flatMap((all) => all.flatMap(({ id, slug }) => id ?? slug ?? []));
}

interface Kind {
  readonly ids: () => Promise<readonly string[]>;
  /** What there is of each. */
  readonly parts: readonly string[];
  /** What there is of some. */
  readonly partly?: readonly string[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  ccas: { ids: () => ccaIds(), parts: ['notes'], partly: ['sample'] },
  traces: { ids: () => idsOf('/traces'), parts: ['', 'dynamics', 'marks', 'labels', 'content'], partly: ['recipe'] },
  weights: { ids: () => idsOf('/weights'), parts: ['file'] },
  studies: { ids: () => idsOf('/studies'), parts: [''] },
  shares: { ids: () => idsOf('/shares'), parts: ['', 'answers', 'runs'] },
  experiments: {
    ids: () => idsOf('/experiments'),
    parts: ['', 'answers', 'sparks', 'labels'],
    partly: ['sampled'],
  },
  runs: {
    ids: async () => (await siteRows()).map(({ id }) => id),
    parts: ['', 'labels', 'measurements', 'logs'],
    partly: ['control', 'samples'],
  },
};

const Ccas = z.object({ ccas: z.array(z.object({ id: z.string() })) });
const ccaIds = async (): Promise<readonly string[]> => Ccas.parse(await siteList('/ccas')).ccas.map(({ id }) => id);

let site: Promise<StaticSite> | null = null;

/** What the site says of itself. */
export function aboutSite(): Promise<StaticSite> {
  site ??= fetch(BASE + SITE_FILE)
    .then((answer) => answer.json())
    .then((found) => StaticSite.parse(found))
    .catch((error: unknown) => {
      site = null;
      throw error;
    });
  return site;
}

let some: Promise<ReadonlySet<string>> | null = null;

function told(): Promise<ReadonlySet<string>> {
  some ??= siteList(PARTLY).then((found) => new Set(z.array(z.string()).parse(found)));
  return some;
}

/** there: its file can be fetched. absent: no such thing is on the site. unasked: a server would make it. */
export async function standingOf(path: string): Promise<'there' | 'absent' | 'unasked'> {
  if (OF_ALL.includes(path)) return 'there';
  const [, name = '', id = '', part = ''] = path.split('/');
  const kind = KINDS[name];
  if (kind === undefined) return 'unasked';
  const { ids, parts, partly = [] } = kind;
  if (!parts.includes(part) && !partly.includes(part)) return 'unasked';
  if (!(await ids()).includes(id)) return 'absent';
  if (parts.includes(part)) return 'there';
  const at = `/${name}/${id}/${part === 'control' ? 'samples' : part}`;
  return (await told()).has(at) ? 'there' : 'absent';
}
