// A worktree beside a checkout, which stays as it is: revisions come and go in it, and git's own bisection says which is next.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { plainLine } from '#protocol/text';
import { UsageError } from '../config.ts';
import { badFile } from './bounded-file.ts';

export interface Revision {
  readonly id: string;
  readonly subject: string;
  readonly author: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

const NO_GIT_VARIABLES = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|PREFIX|COMMON_DIR)$/;

/** Of a process that works in the worktree: a hook of git, say, would have it work elsewhere. */
export const cleanEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !NO_GIT_VARIABLES.test(name))),
  LC_ALL: 'C',
});

interface Said {
  readonly code: number;
  readonly text: string;
}

async function git(folder: string, ...words: readonly string[]): Promise<Said> {
  try {
    const { stdout } = await promisify(execFile)('git', ['-C', folder, '--literal-pathspecs', ...words], {
      env: cleanEnvironment(),
      maxBuffer: 2 ** 26,
    });
    return { code: 0, text: stdout.trim() };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { code, text: [stdout, stderr].join('\n').trim() };
  }
}

async function done(folder: string, ...words: readonly string[]): Promise<string> {
  const { code, text } = await git(folder, ...words);
  if (code !== 0) throw new Error(`git ${words[0] ?? ''}: ${text}`);
  return text;
}

/** The repository that holds a file. */
export async function repositoryOf(file: string): Promise<string> {
  const { code, text } = await git(dirname(await realFile(file)), 'rev-parse', '--show-toplevel');
  if (code !== 0) throw badFile(file, 'it is in no git repository');
  return text;
}

const realFile = (file: string): Promise<string> =>
  realpath(file).catch((error: unknown) => {
    throw badFile(file, error instanceof Error ? error.message : String(error));
  });

/** A commit by any name that git knows. */
export async function commitOf(top: string, name: string): Promise<string> {
  const found = name.startsWith('-') ? null : await git(top, 'rev-parse', '--quiet', '--verify', `${name}^{commit}`);
  if (found === null || found.code !== 0) throw new UsageError(`bisect: ${name} is no revision of ${top}`);
  return found.text;
}

export const holds = async (top: string, commit: string, path: string): Promise<boolean> =>
  (await git(top, 'cat-file', '-e', `${commit}:${path}`)).code === 0;

export async function revisionOf(top: string, commit: string): Promise<Revision> {
  const [id = '', author = '', date = '', subject = ''] = (
    await done(top, 'show', '--no-patch', '--format=%H%x00%an%x00%as%x00%s', commit)
  ).split('\0');
  return { id, author: plainLine(author), date, subject: plainLine(subject) };
}

/** What the search has come to: the next to be judged, the first that is broken, or those among which it is. */
export type Search =
  | { readonly state: 'next'; readonly commit: string; readonly left: number }
  | { readonly state: 'found'; readonly commit: string }
  | { readonly state: 'among'; readonly commits: readonly string[] };

export class Worktree {
  readonly at: string;
  readonly #top: string;
  readonly #folder: string;
  readonly #over: readonly string[];

  private constructor(top: string, folder: string, over: readonly string[]) {
    this.#top = top;
    this.#folder = folder;
    this.#over = over;
    this.at = join(folder, 'at');
  }

  /** With these files as they are now; their names in it are `over`'s, in this order. Others are refused: outside there is no revision. */
  static async beside(top: string, commit: string, files: readonly string[]): Promise<Worktree> {
    const root = await realpath(top);
    const over: string[] = [];
    for (const file of files) {
      const path = relative(root, await realFile(file));
      if (path === '' || path === '..' || path.startsWith(`..${sep}`))
        throw badFile(file, `it lies outside of the repository ${top}`);
      over.push(path);
    }
    const folder = await mkdtemp(join(tmpdir(), 'paceline-bisect-'));
    const made = new Worktree(root, folder, over);
    try {
      for (const path of over) await copy(join(root, path), join(folder, 'over', path));
      await done(root, 'worktree', 'add', '--quiet', '--detach', made.at, commit);
    } catch (error) {
      await made.remove();
      throw error;
    }
    return made;
  }

  get over(): readonly string[] {
    return this.#over;
  }

  go = (commit: string): Promise<string> => done(this.at, 'checkout', '--quiet', '--detach', commit);

  /** The files as they are now over those of the revision. */
  async lay(): Promise<void> {
    for (const path of this.#over) await copy(join(this.#folder, 'over', path), join(this.at, path));
  }

  /** What was laid over is gone; what was built stays, for the next to go on from. */
  async lift(): Promise<void> {
    await done(this.at, 'reset', '--quiet', '--hard');
    await done(this.at, 'clean', '--quiet', '--force', '-d', '--', ...this.#over);
  }

  start = async (good: string, bad: string): Promise<Search> =>
    this.#reached(await git(this.at, 'bisect', 'start', bad, good));

  say = async (verdict: 'good' | 'bad' | 'skip'): Promise<Search> =>
    this.#reached(await git(this.at, 'bisect', verdict));

  async #reached({ code, text }: Said): Promise<Search> {
    // Git's own way to say that all that is left was skipped.
    const isStuck = code === 2;
    if (code !== 0 && !isStuck) throw new Error(`git bisect: ${text}`);
    const among = await done(this.at, 'rev-list', 'refs/bisect/bad', '--not', '--glob=refs/bisect/good-*');
    const commits = among.split('\n').filter(Boolean);
    const [only] = commits;
    if (commits.length === 1 && only !== undefined) return { state: 'found', commit: only };
    if (isStuck) return { state: 'among', commits };
    return { state: 'next', commit: await done(this.at, 'rev-parse', 'HEAD'), left: commits.length };
  }

  async remove(): Promise<void> {
    await git(this.#top, 'worktree', 'remove', '--force', this.at);
    await git(this.#top, 'worktree', 'prune');
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, dereference: true });
}
