// Since which revision an expectation is broken: in repositories of own algorithms, whose every revision is really run.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { nativeDir } from '#bridge/programs';
import { testFolder } from '../testing/folder.ts';
import { ownText } from '../testing/own-texts.ts';
import { TestProcess, type Ended } from '../testing/process.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = testFolder();
/** The worktrees are made here: what is left of them is seen. */
const scratch = (): string => join(folder(), 'scratch');
const repository = (): string => join(folder(), 'theirs');
const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...words], {
    cwd: repository(),
    encoding: 'utf8',
  }).trim();
const write = (name: string, content: unknown): void => {
  const file = join(repository(), name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
};
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, TMPDIR: scratch() });
const begun = (...words: string[]): TestProcess =>
  new TestProcess('bin/paceline.mjs', ['bisect', ...words], repository(), environment());
const bisect = (...words: string[]): Promise<Ended> => begun(...words).ended();

const TEXT = ownText('Mine');
const SLOW = TEXT.replace('mss_bytes * ack.acked_bytes', '0.01 * mss_bytes * ack.acked_bytes');

/** A repository with these texts of one algorithm, one after the other. */
function revisions(...texts: readonly string[]): readonly string[] {
  mkdirSync(scratch(), { recursive: true });
  mkdirSync(repository(), { recursive: true });
  git('init', '--quiet', '--initial-branch', 'main');
  const commits = texts.map((text, i) => {
    write('mine.ts', text);
    git('add', 'mine.ts');
    git('commit', '--quiet', '--message', `revision ${i}`);
    return git('rev-parse', 'HEAD');
  });
  // They lie beside the algorithm, and in none of the revisions.
  write('ci/spec.json', {
    duration_s: 5,
    traces: [{ rate_mbps: 24 }],
    ccas: [{ id: '../mine.ts' }],
    base_rtt_ms: [40],
  });
  write('ci/expected.json', {
    spec: 'spec.json',
    expectations: [{ name: 'It fills the link', metric: 'utilisation', at_least: 0.6 }],
  });
  return commits;
}

function expectNothingIsLeft(): void {
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(git('for-each-ref', 'refs/bisect')).toBe('');
  expect(git('status', '--porcelain')).toBe('?? ci/');
  expect(readdirSync(scratch()).filter((name) => name.startsWith('paceline-bisect-'))).toEqual([]);
}

const Told = z.object({
  judged: z.array(
    z.object({ verdict: z.string(), lines: z.array(z.string()), revision: z.object({ id: z.string() }) }),
  ),
  among: z.array(z.object({ id: z.string(), subject: z.string(), author: z.string() })),
});

// Each asks for several bisections, each of these for several programs.
describe.skipIf(!existsSync(join(nativeDir(), 'paceline.wasm')))('paceline bisect', { timeout: 300_000 }, () => {
  it('finds the commit that broke an own algorithm, skips one that cannot be judged, and leaves the checkout as it is', async () => {
    const commits = revisions(
      TEXT,
      `${TEXT}// more\n`,
      'let b = ;',
      `${TEXT}// and more\n`,
      SLOW,
      `${SLOW}// no better\n`,
    );
    const found = await bisect(commits[0] ?? '', 'main', 'ci/expected.json');
    expect([found.code, found.stdout]).toEqual([
      0,
      expect.stringContaining(`\n${commits[4]} is the first bad commit\n`),
    ]);
    expect(found.stdout).toMatch(
      /^BROKEN {3}\w{10} \d{4}-\d\d-\d\d revision 5 \(T\)\n {11}BROKEN +It fills the link: utilisation ≥ 60\.0\s% .* \| found \d/,
    );
    expect(found.stdout).toMatch(
      /^good {5}\w{10} .* revision 0 \(T\)\n {11}ok +It fills the link: utilisation ≥ 60\.0\s% .* \| found [6-9]\d/m,
    );
    expect(git('rev-parse', 'HEAD')).toBe(commits[5]);
    expectNothingIsLeft();
  });

  it('says among which it is where these cannot be judged, and why not; as JSON as well', async () => {
    const commits = revisions(TEXT, 'let b = ;', SLOW);
    const found = await bisect(commits[0] ?? '', commits[2] ?? '', 'ci/expected.json', '--json');
    expect(found.code).toBe(1);
    const { judged, among } = Told.parse(JSON.parse(found.stdout));
    expect(among.map(({ id, subject, author }) => [id, subject, author])).toEqual([
      [commits[2], 'revision 2', 'T'],
      [commits[1], 'revision 1', 'T'],
    ]);
    expect(judged.map(({ revision, verdict }) => [revision.id, verdict])).toEqual([
      [commits[2], 'broken'],
      [commits[0], 'good'],
      [commits[1], 'skipped'],
    ]);
    expect(judged[2]?.lines).toEqual([expect.stringMatching(/it cannot be judged: .*mine\.ts/)]);
    expectNothingIsLeft();
  });

  it('builds each revision as it is told; one that cannot be built is skipped', async () => {
    const commits = revisions(TEXT, `${TEXT}// not to be built\n`, SLOW);
    const build = "! grep -q 'not to be built' mine.ts || { echo 'no compiler' >&2; exit 1; }";
    const found = await bisect(commits[0] ?? '', 'main', 'ci/expected.json', `--build=${build}`);
    expect([found.code, found.stdout]).toEqual([
      1,
      expect.stringMatching(/^skipped {2}.* revision 1 \(T\)\n {11}it cannot be built: no compiler$/m),
    ]);
    expectNothingIsLeft();
  });

  it('refuses ends that are not what they are said to be, and what it cannot search', async () => {
    const commits = revisions(TEXT, `${TEXT}// more\n`, SLOW);
    const refused = async (...words: string[]): Promise<string> => {
      const { code, stderr } = await bisect(...words);
      expect(code).toBe(2);
      expectNothingIsLeft();
      return stderr;
    };
    const [first = '', second = '', third = ''] = commits;
    expect(await refused(first, second, 'ci/expected.json')).toMatch(/BAD \(\w{10}\) keeps all expectations: /);
    expect(await refused(third, third, 'ci/expected.json')).toMatch(/GOOD \(\w{10}\) breaks one: /);
    expect(await refused('nope', 'main', 'ci/expected.json')).toMatch(/nope is no revision of /);
    expect(await refused('--', '--all', 'main', 'ci/expected.json')).toMatch(/--all is no revision of /);
    expect(await refused(first, 'main')).toMatch(/one file of expectations/);
    expect(await refused(first, 'main', 'nowhere.json')).toMatch(/nowhere\.json: /);
    expect(await refused(first, 'main', 'ci/expected.json', '--over=../scratch')).toMatch(
      /scratch: it lies outside of /,
    );
    writeFileSync(
      join(folder(), 'alone.json'),
      JSON.stringify({ spec: {}, expectations: [{ metric: 'loss', at_most: 1 }] }),
    );
    expect(await refused(first, 'main', '../alone.json')).toMatch(/alone\.json: it is in no git repository/);
  });

  it('ends at once when it is interrupted, with all that it has started', async () => {
    const commits = revisions(TEXT, SLOW);
    const begin = performance.now();
    const going = begun(commits[0] ?? '', 'main', 'ci/expected.json', `--build=touch '${scratch()}/begun'; sleep 60`);
    await expect.poll(() => existsSync(join(scratch(), 'begun')), { timeout: 20_000 }).toBe(true);
    expect((await going.kill('SIGINT')).code).toBe(130);
    expect(performance.now() - begin).toBeLessThan(50_000);
    expectNothingIsLeft();
  });

  it('is what examples/ci/bisect.sh calls', () => {
    const commits = revisions(TEXT, SLOW);
    const script = join(ROOT, 'examples/ci/bisect.sh');
    const env = {
      ...environment(),
      PACELINE_BISECT_BUILD: 'test -e extra.txt',
      PACELINE_BISECT_WITH: `node '${join(ROOT, 'bin/paceline.mjs')}'`,
    };
    write('extra.txt', 'x');
    const words = [script, commits[0] ?? '', 'main', 'ci/expected.json'];
    // It is laid over after the building.
    expect(() => execFileSync('sh', words, { cwd: repository(), env, stdio: 'pipe' })).toThrow(/cannot be built/);
    const stdout = execFileSync('sh', [...words, 'extra.txt'], {
      cwd: repository(),
      env: { ...env, PACELINE_BISECT_BUILD: '' },
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(stdout).toContain(`${commits[1]} is the first bad commit`);
  });
});
