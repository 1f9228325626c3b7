import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { oneLanguage } from './one-language.ts';
import { precompress } from './precompress.ts';
import { withoutDescriptions } from './without-descriptions.ts';

/** Where `npm run dev` finds the server whose API the page calls. */
const api = process.env['PACELINE_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), oneLanguage(), withoutDescriptions(), precompress()],
  build: { outDir: 'dist', emptyOutDir: true, manifest: true, target: 'es2022' },
  server: { host: '127.0.0.1', proxy: { '/api': { target: api, ws: true } } },
});
