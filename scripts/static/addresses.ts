// Where the page lies in a site without a server: at each address that is known, as ADDRESS/index.html. Hosts show 404.html for others.

/** Those of web/src/pages/router.tsx that name nothing. */
export const PAGES = [
  '/new',
  '/traces',
  '/traces/make',
  '/traces/compare',
  '/studies',
  '/ccas',
  '/doctor',
  '/settings',
  '/runs',
  '/what-if',
  '/write',
  '/learn',
  '/learn/teacher',
  '/compare',
  '/s',
] as const;

export interface Known {
  readonly experiments: readonly string[];
  /** Those whose samples are there: of the others the page shows little, and they are many. */
  readonly runs: readonly string[];
  readonly traces: readonly string[];
  readonly studies: readonly string[];
  readonly ccas: readonly string[];
  readonly shares: readonly string[];
  readonly lessons: readonly string[];
}

/** All but `/` itself. */
export const addresses = ({ experiments, runs, traces, studies, ccas, shares, lessons }: Known): string[] => {
  const below = (folder: string, ids: readonly string[]): string[] => ids.map((id) => `${folder}/${id}`);
  const named = [
    ...below('/e', experiments),
    ...below('/r', runs),
    ...below('/traces', traces),
    ...below('/studies', studies),
    ...below('/ccas', ccas),
    ...below('/s', shares),
    ...below('/learn', lessons),
  ];
  return [...new Set([...PAGES, ...named])].sort();
};

export const fileOf = (address: string): string => `${address.slice(1)}/index.html`;
