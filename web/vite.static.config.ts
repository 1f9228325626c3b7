// The page of a site without a server: the same page, begun by another script (src/static/main.tsx).
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig, type Plugin } from 'vite';
import page from './vite.config.ts';

const begunBy = (script: string): Plugin => ({
  name: 'paceline-begun-by',
  transformIndexHtml: { order: 'pre', handler: (html) => html.replace('/src/main.tsx', script) },
});

// eslint-disable-next-line no-restricted-syntax -- what Vite reads
export default mergeConfig(
  page,
  defineConfig({
    plugins: [begunBy('/src/static/main.tsx')],
    build: { outDir: fileURLToPath(new URL('../build/static-page', import.meta.url)) },
  }),
);
