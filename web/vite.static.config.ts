// The page of a site without a server: the same page, begun by another script (src/static/main.tsx), and the worker that keeps it.
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig, type Plugin, type PluginOption } from 'vite';
import page from './vite.config.ts';

const begunBy = (script: string): Plugin => ({
  name: 'paceline-begun-by',
  transformIndexHtml: { order: 'pre', handler: (html) => html.replace('/src/main.tsx', script) },
});

/** Hosts of files pack what they send by themselves. */
const packs = (plugin: PluginOption): boolean =>
  typeof plugin === 'object' && plugin !== null && 'name' in plugin && plugin.name === 'paceline-precompress';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const WORKER = 'service-worker';

export default mergeConfig(
  { ...page, plugins: page.plugins?.filter((plugin) => !packs(plugin)) },
  defineConfig({
    plugins: [begunBy('/src/static/main.tsx')],
    build: {
      outDir: path('../build/static-page'),
      rolldownOptions: {
        input: { index: path('index.html'), [WORKER]: path(`src/static/${WORKER}.ts`) },
        // Its name is what browsers ask for again, to see whether there is another.
        output: { entryFileNames: ({ name }) => (name === WORKER ? '[name].js' : 'assets/[name]-[hash].js') },
      },
    },
  }),
);
