// CCAs of stacks that are not ours, as the pages group them.
import type { CcaKind } from '#protocol/cca';

export interface Stack {
  readonly kind: CcaKind;
  readonly title: string;
  readonly note: string;
}

export const STACKS: readonly Stack[] = [
  {
    kind: 'kernel',
    title: 'This machine’s kernel',
    note: 'Linux’s own TCP over the same link, in real time: the ground truth for ours.',
  },
  {
    kind: 'quic',
    title: 'Real QUIC',
    note: 'The stack quinn over the same link, in real time: with our algorithms, or with its own.',
  },
  {
    kind: 'external',
    title: 'External programs',
    note: 'Set up by whoever runs this server; they share the same link, in real time, and the link says what they do.',
  },
];
