// Many runs at a server, from their submission to their end.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CCAS = ['newreno', 'cubic', 'bbr', 'vegas', 'copa'];
const BUFFERS = [1, 4];
const TRACE = 'lte-downlink-drive';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Progress {
  readonly open: number;
  readonly bad: number;
}

/** Of all experiments. */
async function progress(url: string): Promise<Progress> {
  const { experiments } = (await (await fetch(`${url}/api/v1/experiments`)).json()) as {
    experiments: { runs_total: number; runs_done: number; runs_failed: number }[];
  };
  const sum = (of: (experiment: (typeof experiments)[number]) => number): number =>
    experiments.reduce((total, experiment) => total + of(experiment), 0);
  const bad = sum(({ runs_failed }) => runs_failed);
  return { bad, open: sum(({ runs_total, runs_done }) => runs_total - runs_done) - bad };
}

/** Resolves when nothing waits or goes on. */
export async function over(url: string, lookEveryMs: number): Promise<void> {
  for (;;) {
    const { open, bad } = await progress(url);
    if (bad > 0) throw new Error(`${bad} runs have failed`);
    if (open === 0) return;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

export interface Campaign {
  readonly runs: number;
  readonly duration_s: number;
  readonly sample_period_ms: number;
  readonly seed?: number;
}

/** Over an LTE trace; resolves when they are accepted. */
export async function submit(url: string, { runs, ...rest }: Campaign): Promise<void> {
  const { name } = JSON.parse(readFileSync(`${root}traces/recipes/${TRACE}.json`, 'utf8')) as { name: string };
  const submitted = await fetch(`${url}/api/v1/experiments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'many',
      repetitions: Math.ceil(runs / CCAS.length / BUFFERS.length),
      traces: [{ trace: name }],
      ccas: CCAS.map((id) => ({ id })),
      buffers: BUFFERS.map((bdp) => ({ bdp })),
      ...rest,
    }),
  });
  if (!submitted.ok) throw new Error(await submitted.text());
}
