// `paceline bisect`: since which revision of a repository an expectation is broken.
import { z } from 'zod';
import { plural } from '#analysis/format';
import { plainLine } from '#protocol/text';
import { checked, parseWords, UsageError } from '../config.ts';
import { AppError } from '../errors.ts';
import { BISECT } from './assert-report.ts';
import { EXIT } from './exit.ts';
import { questionFiles } from './expectations-file.ts';
import { ranInShell } from './judge-command.ts';
import { commitOf, holds, repositoryOf, revisionOf, Worktree, type Revision, type Search } from './revisions.ts';
import { INTERRUPTED, interruption } from './waiting.ts';

const HELP = `Usage: paceline bisect GOOD BAD FILE.json [options]

Finds the revision since which an expectation of FILE.json (docs/ci.md) is broken, in the git repository that FILE.json is in: in a
worktree beside the checkout, which stays as it is. FILE.json, the spec and the baselines that it names are laid over every revision
as they are now; all else is the revision's own: algorithms, plug-ins, traces, in Paceline's repository the engine. GOOD and BAD are
judged first: one keeps all expectations, the other does not. Revisions that cannot be built or judged are skipped.

  --over FILE     one more file or folder that is laid over every revision (may be said several times)
  --build CMD     what builds a revision, for the shell (default: Paceline's own setup in its repository, else nothing)
  --judge CMD     the Paceline that judges, for the shell (default: the revision's own in Paceline's repository, else this one)
  --json          print it as JSON

Exit codes: 0 found, 1 it is among revisions that cannot be judged, 2 bad input.
`;

/** In a repository that has this, revisions of Paceline itself are judged, each by itself. */
const OWN = 'bin/paceline.mjs';
const OWN_BUILD = 'node scripts/setup.mjs --only packages,npm,addon,native,wasm,server,traces';
const SHORT = 10;

type Verdict = 'good' | 'broken' | 'skipped';
interface Judged {
  readonly revision: Revision;
  readonly verdict: Verdict;
  /** A line for each expectation; of one that was skipped, why. */
  readonly lines: readonly string[];
  readonly seconds: number;
}

interface Asked {
  readonly ends: readonly [good: string, bad: string];
  readonly file: string;
  readonly over: readonly string[];
  readonly build: string | undefined;
  readonly judge: string | undefined;
  readonly json: boolean;
}

function asked(words: readonly string[]): Asked | null {
  const { values, positionals } = parseWords({
    args: [...words],
    allowPositionals: true,
    options: {
      over: { type: 'string', multiple: true },
      build: { type: 'string' },
      judge: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return null;
  const [good, bad, file, ...more] = positionals;
  if (good === undefined || bad === undefined || file === undefined || more.length > 0)
    throw new UsageError('bisect: GOOD, BAD and one file of expectations');
  const options = checked(
    z.object({
      over: z.array(z.string().min(1)).default([]),
      build: z.string().optional(),
      judge: z.string().min(1).optional(),
      json: z.boolean().default(false),
    }),
    { over: values.over, build: values.build, judge: values.judge, json: values.json },
    (key) => `--${key}`,
  );
  return { ends: [good, bad], file, ...options, build: options.build, judge: options.judge };
}

export async function bisect(words: readonly string[]): Promise<number> {
  const found = asked(words);
  if (found === null) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const stop = new AbortController();
  void interruption().then(() => stop.abort());
  try {
    return await searched(found, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return INTERRUPTED;
    throw error;
  }
}

async function searched({ ends, file, over, build, judge, json }: Asked, stop: AbortSignal): Promise<number> {
  const files = await questionFiles(file);
  const top = await repositoryOf(file);
  const [good, bad] = [await commitOf(top, ends[0]), await commitOf(top, ends[1])];
  const isOwn = await holds(top, bad, OWN);
  const worktree = await Worktree.beside(top, bad, [...files, ...over]);
  const judged: Judged[] = [];
  const one = async (commit: string, left: string): Promise<Judged> => {
    const revision = await revisionOf(top, commit);
    process.stderr.write(`judging ${revision.id.slice(0, SHORT)} (${left}) …\n`);
    const begun = performance.now();
    const came = await verdictOf(worktree, {
      build: build ?? (isOwn ? OWN_BUILD : ''),
      judge: judge ?? (isOwn ? `node ${OWN}` : null),
      stop,
    });
    const all = { revision, ...came, seconds: Math.round(performance.now() - begun) / 1000 };
    judged.push(all);
    if (!json) process.stdout.write(textOf(all, brokenIn(judged)));
    return all;
  };
  try {
    await endsAreWhatTheyAreSaidToBe(worktree, [good, bad], one);
    let search: Search = await worktree.start(good, bad);
    while (search.state === 'next') {
      const { verdict } = await one(search.commit, `${plural(search.left, 'revision')} left`);
      search = await worktree.say(verdict === 'broken' ? 'bad' : verdict === 'skipped' ? 'skip' : 'good');
    }
    const among = search.state === 'found' ? [search.commit] : search.commits;
    const revisions = await Promise.all(among.map((commit) => revisionOf(top, commit)));
    process.stdout.write(
      json ? `${JSON.stringify({ good, bad, judged, among: revisions }, null, 2)}\n` : ending(revisions),
    );
    return revisions.length === 1 ? EXIT.ok : EXIT.failed;
  } finally {
    await worktree.remove();
  }
}

/** Between two that are not what they are said to be any revision could come out. */
async function endsAreWhatTheyAreSaidToBe(
  worktree: Worktree,
  [good, bad]: readonly [string, string],
  judge: (commit: string, left: string) => Promise<Judged>,
): Promise<void> {
  for (const [commit, name, meant] of [
    [bad, 'BAD', 'broken'],
    [good, 'GOOD', 'good'],
  ] as const) {
    await worktree.go(commit);
    const came = await judge(commit, name);
    if (came.verdict === meant) continue;
    const what = { good: 'keeps all expectations', broken: 'breaks one', skipped: 'cannot be judged' }[came.verdict];
    throw new AppError('SPEC_INVALID', `${name} (${commit.slice(0, SHORT)}) ${what}: ${toldOf(came).join('; ')}`);
  }
}

interface Means {
  readonly build: string;
  /** null: this program. */
  readonly judge: string | null;
  readonly stop: AbortSignal;
}

async function verdictOf(
  worktree: Worktree,
  { build, judge, stop }: Means,
): Promise<Pick<Judged, 'verdict' | 'lines'>> {
  const skipped = (why: string, text: string) => ({
    verdict: 'skipped' as const,
    lines: [[why, lastLine(text)].filter(Boolean).join(': ')],
  });
  const shell = (line: string, ...words: readonly string[]) => ranInShell(line, words, worktree.at, stop);
  const paceline = (...words: readonly string[]) =>
    judge === null
      ? shell('exec "$@"', process.execPath, process.argv[1] ?? '', ...words)
      : shell(`${judge} "$@"`, ...words);
  if (build !== '') {
    const built = await shell(build);
    if (built.code !== 0) return skipped('it cannot be built', built.stderr || built.stdout);
  }
  // What cannot even say how it is called would say the code of a broken expectation for everything.
  const knows = await paceline('assert', '--help');
  if (knows.code !== 0) return skipped('it cannot judge', knows.stderr);
  await worktree.lay();
  try {
    const { code, stdout, stderr } = await paceline('assert', '--bisect', worktree.over[0] ?? '');
    const lines = stdout.split('\n').filter(Boolean).map(plainLine);
    if (code === BISECT.good) return { verdict: 'good', lines };
    if (code === BISECT.bad && lines.length > 0) return { verdict: 'broken', lines };
    return skipped('it cannot be judged', stderr || stdout);
  } finally {
    await worktree.lift();
  }
}

const lastLine = (text: string): string => plainLine(text.trim().split('\n').at(-1) ?? '');
const named = ({ id, date, subject, author }: Revision): string =>
  `${id.slice(0, SHORT)} ${date} ${subject} (${author})`;

/** Of an expectation's line, what is expected. */
const expectedIn = (line: string): string => /^(?:ok|BROKEN) +(.*?) \| found /.exec(line)?.[1] ?? '';

const brokenIn = (judged: readonly Judged[]): ReadonlySet<string> =>
  new Set(judged.filter(({ verdict }) => verdict === 'broken').flatMap((one) => toldOf(one).map(expectedIn)));

/** What is broken; what became of these where nothing is; else what there is to say in a line. */
function toldOf({ verdict, lines }: Judged, sought: ReadonlySet<string> = new Set()): readonly string[] {
  if (verdict === 'broken') return lines.filter((line) => line.startsWith('BROKEN'));
  const same = lines.filter((line) => sought.has(expectedIn(line)));
  return same.length > 0 ? same : lines.slice(-1);
}

function textOf(judged: Judged, sought: ReadonlySet<string>): string {
  const mark = judged.verdict === 'broken' ? 'BROKEN' : judged.verdict;
  const told = toldOf(judged, sought).map((line) => `           ${line}\n`);
  return `${mark.padEnd(8)} ${named(judged.revision)}\n${told.join('')}`;
}

function ending(revisions: readonly Revision[]): string {
  const [only] = revisions;
  if (revisions.length === 1 && only !== undefined)
    return `\n${only.id} is the first bad commit\n           ${named(only)}\n`;
  return `\nThe first bad commit is one of these, which cannot all be judged:\n${revisions.map((one) => `           ${named(one)}\n`).join('')}`;
}
