import { runForeground } from '#bridge/foreground';
import { EXIT } from './exit.ts';

/** A command behind the modelled link, like `mm-link`: the native program answers for all of it. */
export const shell = async (words: readonly string[]): Promise<number> =>
  (await runForeground('paceline-shell', ['--end-with-parent', ...words], { terminal: true })) ?? EXIT.failed;
