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

export const unknown = (what: string): Problem =>
  problem(
    404,
    'NOT_ON_THIS_SITE',
    'It is not on this site',
    `${what} is neither on this site nor kept in this browser.`,
    'If you were sent this link, open it where it was made: what a browser has run is kept there alone.',
  );

export const invalid = (detail: string, faults?: Problem['faults']): Problem => ({
  ...problem(422, 'SPEC_INVALID', 'This cannot be run', detail, 'Change what is named, then try again.'),
  ...(faults === undefined ? {} : { faults, where: faults[0]?.where }),
});

export const noRoom = (): Problem =>
  problem(
    507,
    'DISK_FULL',
    'This browser has no room left',
    'What the site keeps in this browser has reached the size that the browser allows.',
    'Delete experiments that you do not need any more.',
  );

export const unreachable = (file: string): Problem => ({
  type: 'about:blank',
  title: 'The site cannot be reached',
  status: 0,
  code: 'UNREACHABLE',
  detail: `${file} could not be fetched.`,
  hint: 'Check the connection. What you have looked at before can be seen without one.',
});
