// Few files instead of hundreds: built once to see which modules which pages share, and then in the groups that come of it (groups.ts).
import { build, type Plugin, type PluginOption, type Rolldown } from 'vite';
import { groupsOf, type Part } from './groups.ts';

const NAME = 'paceline-grouped';
/** What only what is written needs. */
const AFTERWARDS = new Set([NAME, 'paceline-precompress']);

const isNeeded = (plugin: PluginOption): boolean =>
  typeof plugin !== 'object' || plugin === null || !('name' in plugin) || !AFTERWARDS.has(plugin.name);

const partOf = (chunk: Rolldown.OutputChunk): Part => ({
  file: chunk.fileName,
  name: chunk.name,
  modules: Object.keys(chunk.modules),
  bytes: chunk.code.length,
  imports: chunk.imports,
  dynamicImports: chunk.dynamicImports,
  isEntry: chunk.isEntry,
  isDynamicEntry: chunk.isDynamicEntry,
});

export const grouped = (): Plugin => ({
  name: NAME,
  apply: 'build',
  async config(user) {
    const { plugins = [], ...others } = user;
    const built = await build({
      ...others,
      configFile: false,
      logLevel: 'error',
      plugins: plugins.filter(isNeeded),
      build: { ...others.build, write: false, cssMinify: false, reportCompressedSize: false },
    });
    const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []));
    const parts = outputs.flatMap((one) => (one.type === 'chunk' ? [partOf(one)] : []));
    const nameOf = new Map(groupsOf(parts).flatMap(({ name, modules }) => modules.map((id) => [id, name] as const)));
    const groups = [{ name: (id: string) => nameOf.get(id) ?? null, debugName: 'what pages share' }];
    // What a module needs is in a group of its own, or there before it.
    return {
      build: { rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups } } } },
    };
  },
});
