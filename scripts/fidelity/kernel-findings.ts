import { compareConstantLink } from './constant-link.ts';
import { judged } from './deviations.ts';
import { compareOverTraces } from './over-traces.ts';
import type { Finding } from '#protocol/fidelity';
import { kernel } from './kernel.ts';
import { OURS } from './scenario.ts';
import type { Row } from './table.ts';

const REMARKS = {
  PASS: '',
  repeat: '; agrees with a repeat of the kernel’s run',
  near: '; agrees when what the measurement left open is varied',
  DIFF: '',
} as const;

function findingOf({ where, cca, figures, verdict }: Row): Finding {
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
    verdict !== 'DIFF',
  );
}

/** Ours where a real Linux kernel was measured; figures are ours (the kernel's; its repeats). */
export async function compareWithKernel(dir: string, ccas: ReadonlySet<string>): Promise<Finding[]> {
  const rows = [...(await compareConstantLink(dir)), ...(await compareOverTraces(dir))];
  return rows.map(findingOf).filter((finding) => finding.ccas.every((cca) => ccas.has(cca)));
}
