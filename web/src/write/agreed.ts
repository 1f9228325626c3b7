// What somebody else wrote runs when its reader has agreed, in this page and as long as it is open: nothing of it goes by a link alone.
import type { RunManifest } from '#protocol/manifest';

const agreed = new Set<string>();

/** `program`: the hash of its text. */
export const agree = (program: string): void => {
  agreed.add(program);
};

export const isAgreed = (program: string): boolean => agreed.has(program);

/** Own algorithms of its flows, by the hashes of their texts, each once. */
export const programsOf = ({ flows }: Pick<RunManifest, 'flows'>): string[] => [
  ...new Set(flows.flatMap(({ cca: { program } }) => (program === undefined ? [] : [program]))),
];

/** Those that nobody has agreed to run. `here`: what was written in this page. */
export const notAgreed = (
  manifest: Pick<RunManifest, 'flows'>,
  here: ReadonlyMap<string, string> | undefined,
): string[] => programsOf(manifest).filter((program) => !isAgreed(program) && here?.has(program) !== true);
