import { compareConstantLink } from './constant-link.ts';
import type { Bench } from './bench.ts';
import { judged } from './deviations.ts';
import { compareOverTraces } from './over-traces.ts';
import type { Finding } from '#protocol/fidelity';
import { kernel } from './kernel.ts';
import { OURS } from './pairs.ts';
import type { Row } from './table.ts';

const REMARKS = {
  PASS: '',
  repeat: '; agrees with a repeat of the kernel’s run',
  near: '; agrees when what the measurement left open is varied',
  DIFF: '',
} as const;

function findingOf({ where, cca, figures, verdict, compared }: Row, bench: Bench): Finding {
  const ours = OURS.get(cca) ?? cca;
  const measured = Object.entries(figures).map(([name, text]) => `${name} ${text}`);
  return judged(
    {
      section: 'kernel',
      id: `kernel/${ours}/${where}`.replaceAll(' ', '-'),
      ccas: [ours],
      what: `${ours} beside Linux’ ${cca}: ${where}`,
      expected: 'utilisation within 5 points, mean delay within 20 % or 3 ms',
      measured: `${measured.join(', ')}${REMARKS[verdict]}`,
      source: kernel.source,
    },
    compared,
    bench,
  );
}

/** Ours where a real Linux kernel was measured; figures are ours (the kernel's; its repeats). */
export async function compareWithKernel(bench: Bench, ccas: ReadonlySet<string>): Promise<Finding[]> {
  const rows = [...(await compareConstantLink(bench, ccas)), ...(await compareOverTraces(bench, ccas))];
  return rows.map((row) => findingOf(row, bench));
}
