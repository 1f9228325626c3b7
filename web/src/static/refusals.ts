// What a site without a server cannot do, and what is wrong with what it is asked: problems, as a server would send them.
import type { Problem } from '#protocol/api';

export class Refused extends Error {
  override readonly name = 'Refused';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

const problem = (status: number, code: string, title: string, detail: string, hint: string): Problem => ({
  type: `urn:paceline:problem:${code.toLowerCase().replaceAll('_', '-')}`,
  title,
  status,
  code,
  detail,
  hint,
});

const RUN_IT = 'Install Paceline on your own machine and start it there: it does the same and this too.';

/** `what`: a whole sentence. */
export const needsServer = (what: string): Problem =>
  problem(501, 'NEEDS_SERVER', 'This needs a server', `${what} This site has none.`, RUN_IT);

/** By the beginning of the path, or by its end, the first that fits. */
const WHAT_FOR: readonly (readonly [RegExp, string])[] = [
  [/^\/trace-sources/, 'Files of this kind are read by a program of a server.'],
  [/^\/recipes|\/edits/, 'Traces are made and changed by a program of a server.'],
  [/\/(export|report|bundle|qlog|file|terms)(\/|$)/, 'Files like this one are written by a server.'],
  [
    /\/(packets|capture|link-log|ns3-trace|queue-by-flow)$/,
    'What each packet did is told by a program of a server, which runs it once more.',
  ],
  [/^\/shares/, 'Shares that came with the site are the same for everybody: only a server takes them away.'],
  [/^\/studies/, 'Studies are run by a server.'],
  [/^\/settings/, 'Messages to other programs are sent by a server.'],
  [/^\/(imported-series|recordings|bundles)/, 'Files of other programs are read by a server.'],
  [/\/measurements/, 'Measurements are read and kept by a server.'],
];

/** What a server would do at such a path: a whole sentence. */
export const whatFor = (path: string): string =>
  WHAT_FOR.find(([pattern]) => pattern.test(path))?.[1] ??
  'What is on this site is the same for everybody: only a server changes it.';

const KINDS: Readonly<Record<string, string>> = {
  experiments: 'experiment',
  runs: 'run',
  traces: 'trace',
  studies: 'study',
  shares: 'share',
  algorithms: 'own algorithm',
};

/** `path`: as the API has it, or a sentence's subject. */
export function unknown(path: string): Problem {
  const [, kind = '', id = ''] = path.split('/');
  const named = KINDS[kind];
  const what = named === undefined ? path : `The ${named} ${id}`;
  return problem(
    404,
    'NOT_ON_THIS_SITE',
    named === undefined ? 'It is not on this site' : `There is no such ${named} here`,
    `${what} is neither on this site nor kept in this browser.`,
    'If you were sent this link, ask for all of it: what is in one browser alone is brought along behind the #.',
  );
}

export const invalid = (detail: string, faults?: Problem['faults']): Problem => ({
  ...problem(422, 'SPEC_INVALID', 'This cannot be done', detail, 'Change what is named, then try again.'),
  ...(faults === undefined ? {} : { faults }),
});

export const notFrozen = (detail: string, hint: string | null): Problem =>
  problem(
    409,
    'SHARE_REFUSED',
    'This view cannot be frozen',
    detail,
    hint ?? 'There are shares of an experiment, a run, runs compared, a trace, and traces compared.',
  );

export const noRoom = (): Problem =>
  problem(
    507,
    'DISK_FULL',
    'This browser has no room left',
    'What the site keeps in this browser has reached the size that the browser allows.',
    'Delete experiments that you do not need any more.',
  );

/** Of a database that pages of two versions of the site would have otherwise. */
export const heldByOlder = (): Problem =>
  problem(
    503,
    'OLDER_PAGE_OPEN',
    'An older page of this site is open',
    'What this browser keeps can be opened when no page of the site’s last version is open any more.',
    'Close the other pages of this site, then reload this one.',
  );

export const keptByNewer = (): Problem =>
  problem(
    503,
    'NEWER_SITE',
    'This page is older than what this browser keeps',
    'A newer version of the site has been open in this browser.',
    'Close all pages of this site, then open it again.',
  );

export const samplesLeftOut = (): Problem =>
  problem(
    404,
    'SAMPLES_MISSING',
    'The course of this run is not here',
    'The samples of this run would have made the site too large: what it came to is here, its course over time is not.',
    'What if … makes the run once more in this browser.',
  );

export const unreachable = (file: string): Problem => ({
  type: 'about:blank',
  title: 'The site cannot be reached',
  status: 0,
  code: 'UNREACHABLE',
  detail: `${file} could not be fetched.`,
  hint: 'Check the connection. What you have looked at before can be seen without one.',
});
