// examples/ci/action.yml, step by step as a runner of GitHub does it: values come by the environment, and bash runs what is left.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { testFolder } from '#server/testing/folder';
import { ROOT } from './lib/paths.mjs';

const Step = z.object({
  name: z.string(),
  shell: z.literal('bash'),
  env: z.record(z.string(), z.string()),
  run: z.string(),
});
const Action = z.object({
  inputs: z.record(
    z.string(),
    z.object({ description: z.string(), required: z.boolean().optional(), default: z.string().optional() }),
  ),
  runs: z.object({ using: z.literal('composite'), steps: z.array(Step) }),
});
const Workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({ steps: z.array(z.object({ uses: z.string(), with: z.record(z.string(), z.unknown()).default({}) })) }),
  ),
});

const text = (name: string): unknown => parse(readFileSync(`${ROOT}/examples/ci/${name}`, 'utf8'));
const action = Action.parse(text('action.yml'));
const [build, judge] = action.runs.steps;

/** A step with these inputs, in a workspace. */
function step({ run, env }: z.infer<typeof Step>, given: Readonly<Record<string, string>>, cwd: string) {
  const input = (name: string): string => given[name] ?? action.inputs[name]?.default ?? '';
  const values = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, one: string) => input(one)),
  ]);
  const script = join(cwd, 'step.sh');
  writeFileSync(script, run);
  const summary = join(cwd, 'summary.markdown');
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...Object.fromEntries(values), GITHUB_STEP_SUMMARY: summary },
  });
}

/** Whether a Cubic with a BDP of queue uses more than `atLeast` of the link. */
const expectations = (atLeast: number): string =>
  JSON.stringify({
    spec: {
      traces: [{ rate_mbps: 12 }],
      ccas: [{ id: 'cubic' }],
      buffers: [{ bdp: 1 }],
      base_rtt_ms: [40],
      duration_s: 10,
    },
    expectations: [{ name: 'It is used', metric: 'utilisation', at_least: atLeast }],
  });

describe('the action for GitHub', () => {
  const folder = testFolder();

  it('puts no value into a script, and builds what is there to build', () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
    const [, script = ''] = /npm run (\S+)/.exec(build?.run ?? '') ?? [];
    expect(JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'))).toHaveProperty(['scripts', script]);
  });

  it('is used by the workflow with inputs that it has, all that it must have among them', () => {
    const { steps } = Object.values(Workflow.parse(text('workflow.yml')).jobs)[0] ?? { steps: [] };
    const uses = steps.find(({ uses: used }) => used.startsWith('./'));
    const known = Object.keys(action.inputs);
    for (const name of Object.keys(uses?.with ?? {})) expect(known).toContain(name);
    const must = known.filter((name) => action.inputs[name]?.required === true);
    expect(Object.keys(uses?.with ?? {})).toEqual(expect.arrayContaining(must));
  });

  it.each([
    ['holds', 0.5, 0],
    ['is broken', 0.999999, 3],
  ])('says of what %s, in a folder whatever its name', { timeout: 300_000 }, (_, atLeast, code) => {
    if (judge === undefined) throw new Error('there is no second step');
    const file = 'it$(touch pwned) "is"/`touch pwned`; mine.json';
    mkdirSync(join(folder(), dirname(file)), { recursive: true });
    writeFileSync(join(folder(), file), expectations(atLeast));
    const told = step(judge, { paceline: ROOT, expectations: file, results: 'out put' }, folder());
    expect(told.stderr).not.toContain('paceline:');
    expect(told.status).toBe(code);
    expect(told.stdout.includes('::error file=')).toBe(code !== 0);
    expect(existsSync(join(folder(), 'pwned'))).toBe(false);
    expect(readdirSync(join(folder(), 'out put')).toSorted()).toEqual([
      'report-frontier.svg',
      'report.markdown',
      'report.xml',
    ]);
    expect(readFileSync(join(folder(), 'summary.markdown'), 'utf8')).toContain('It is used');
  });
});
