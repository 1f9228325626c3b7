// `--cca-plugin FILE` before or behind any command: shared libraries with algorithms, which every native program of this process loads.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../config.ts';

const OPTION = '--cca-plugin';
/** Where the native programs look (native/plugin/load.cc): files, a colon between two. */
const VARIABLE = 'PACELINE_CCA_PLUGINS';

function plugin(file: string | undefined): string {
  if (file === undefined || file === '') throw new UsageError(`${OPTION}: wants a file`);
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`${OPTION}: there is no file ${file}`);
  if (path.includes(':')) throw new UsageError(`${OPTION}: a path with a colon cannot be named: ${path}`);
  return path;
}

/** The words without the option; what it names is added to the environment. */
export function withPlugins(words: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const left: string[] = [];
  const files = (env[VARIABLE] ?? '').split(':').filter((file) => file !== '');
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') return found([...left, ...words.slice(i)]);
    if (word === OPTION) files.push(plugin(words[(i += 1)]));
    else if (word.startsWith(`${OPTION}=`)) files.push(plugin(word.slice(OPTION.length + 1)));
    else left.push(word);
  }
  return found(left);

  function found(all: string[]): string[] {
    if (files.length > 0) env[VARIABLE] = [...new Set(files)].join(':');
    return all;
  }
}
