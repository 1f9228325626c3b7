// What there are shares of.
import type { ShareKind } from '#protocol/share';

export const KINDS: Record<ShareKind, string> = {
  experiment: 'experiment',
  run: 'run',
  overlay: 'runs compared',
  trace: 'trace',
  traces: 'traces compared',
};
