import { VERDICTS, type Finding, type Section } from '#protocol/fidelity';
import { evidenceOf } from './deviations.ts';
import { repeats } from './kernel.ts';
import { PROTOTYPE_TOLERANCE } from './prototypes.ts';

const TITLES: Readonly<Record<Section, string>> = {
  behaviour: 'Behaviour that the sources predict',
  kernel: 'Beside the Linux kernel’s own implementation: ours (the kernel’s; its repeats)',
  prototypes: `Beside the authors’ programs: holds within ${PROTOTYPE_TOLERANCE}`,
  orderings: 'Orderings of the papers over 5G',
  fairness: 'Fairness',
};

export const counted = (findings: readonly Finding[]): string =>
  VERDICTS.map((verdict) => [findings.filter((finding) => finding.verdict === verdict).length, verdict] as const)
    .filter(([count]) => count > 0)
    .map(([count, verdict]) => `${count} ${verdict}`)
    .join(', ');

/** A section, algorithm by algorithm, each line with its verdict first. */
export function sectionText(section: Section, findings: readonly Finding[]): string {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const ccas = finding.ccas.join(' and ');
    groups.set(ccas, [...(groups.get(ccas) ?? []), finding]);
  }
  const lines = [`\n== ${TITLES[section]}: ${counted(findings)}`];
  for (const [ccas, group] of groups) {
    lines.push(`\n${ccas}`);
    for (const { id, verdict, what, measured, expected, source, reason, docs } of group) {
      lines.push(`  ${verdict.padEnd(8)} ${what}: ${measured} [${expected}; ${source}]`);
      if (reason !== undefined) lines.push(`${' '.repeat(11)}why: ${reason}${docs === undefined ? '' : ` (${docs})`}`);
      if (verdict === 'deviates')
        for (const { command, shows } of evidenceOf(id)) lines.push(`${' '.repeat(11)}shown by: ${command} (${shows})`);
    }
  }
  if (section === 'kernel')
    lines.push('\nWhy a single run of a kernel may lie apart:', ...repeats.causes.map((cause) => `- ${cause}`));
  return lines.join('\n');
}
