// Which of ours is held against which of a kernel's.

export interface Pair {
  /** By the kernel's name, `cubic`. */
  readonly kernel: string;
  readonly ours: string;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Our algorithms by the names of the kernel's. */
export const OURS = new Map([
  ['reno', 'newreno'],
  ['cubic', 'cubic'],
  ['bbr', 'bbr'],
  ['vegas', 'vegas'],
  ['westwood', 'westwood'],
  ['htcp', 'htcp'],
  ['illinois', 'illinois'],
]);

/** Those that every kernel has. */
export const USUAL = ['reno', 'cubic', 'bbr'];

const PARAM = /^([\w]+)=([\w.]+)$/;

/** @param word `reno`, or `bbr=bbr3:profile=linux` where a kernel gives another algorithm that name */
export function pairOf(word: string): Pair {
  const [kernel = '', ...after] = word.split('=');
  const named = after.join('=');
  if (named === '') {
    const ours = OURS.get(kernel);
    if (ours === undefined || after.length > 0)
      throw new Error(
        `--ccas: ${word}: known are ${[...OURS.keys()].join(', ')}; of others KERNEL=OURS[:parameter=value]`,
      );
    return { kernel, ours, params: {} };
  }
  const [ours = '', ...params] = named.split(':');
  return {
    kernel,
    ours,
    params: Object.fromEntries(
      params.map((text) => {
        const [, name = '', value = ''] = PARAM.exec(text) ?? [];
        if (name === '') throw new Error(`--ccas: ${word}: ${text} is no parameter=value`);
        return [name, Number.isNaN(Number(value)) ? value : Number(value)];
      }),
    ),
  };
}
