// What a command does while an experiment runs: says how far it is, and stops it when interrupted.
import type { QueueHold } from '#protocol/api';
import { DataDirUnusable } from '../errors.ts';
import type { Lab } from '../lab.ts';
import { Progress } from './progress.ts';

/** How a shell names a program that was ended by Ctrl-C. */
export const INTERRUPTED = 130;

/** From here on Ctrl-C does not end this process but is noticed. */
export function interruption(): Promise<void> {
  return new Promise((noticed) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => noticed());
  });
}

/** Waits for the end. True when it was interrupted: everything that went on has been stopped then. */
export async function isInterrupted(lab: Lab, id: string, interrupted: Promise<void>): Promise<boolean> {
  const progress = new Progress(lab, id);
  const stop: (() => void)[] = [];
  const over = new Promise<void>((done) => {
    const look = (): void => {
      const { state } = lab.experiments.item(id);
      if (state !== 'queued' && state !== 'running') done();
    };
    stop.push(
      lab.feed.onAny((_, change) => {
        if (change === 'state') look();
      }),
    );
    look();
  });
  // A server says that its database turns out to be damaged and waits for somebody; a command ends.
  const damaged = new Promise<never>((_, reject) => {
    const look = (hold: QueueHold | null): void => {
      if (hold?.cause === 'damaged') reject(new DataDirUnusable(`${hold.reason}. ${hold.hint}`));
    };
    look(lab.scheduler.hold.current);
    stop.push(lab.scheduler.hold.onChange(look));
  });
  let cut: boolean;
  try {
    cut = await Promise.race([over.then(() => false), interrupted.then(() => true), damaged]);
  } finally {
    progress.close();
    for (const end of stop) end();
  }
  if (cut) await lab.experiments.stop(id);
  return cut;
}
