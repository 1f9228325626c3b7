import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { PSEUDO } from '../scripts/texts/pseudo.ts';
import { grouped } from './grouped.ts';
import { oneLanguage } from './one-language.ts';
import { precompress } from './precompress.ts';
import { translated } from './translated.ts';
import { withoutDescriptions } from './without-descriptions.ts';
import { withoutJsonSchemas } from './without-json-schemas.ts';

/** Where `npm run dev` finds the server whose API the page calls. */
const api = process.env['PACELINE_URL'] ?? 'http://127.0.0.1:8080';

/** What jsPDF would take for HTML, rasterised SVG and the like, none of which is asked of it: left out, so that nobody keeps it. */
const NOT_ASKED = ['canvg', 'html2canvas', 'dompurify'];
const nothing = fileURLToPath(new URL('nothing.ts', import.meta.url));

/** In which the page speaks (docs/texts.md); empty: English, as its sources have it. */
const language = process.env['PACELINE_LANGUAGE'] ?? '';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    translated(language),
    react(),
    oneLanguage(language),
    withoutDescriptions(),
    withoutJsonSchemas(),
    grouped(),
    // A page that nobody speaks goes over no line.
    ...(language === PSEUDO ? [] : [precompress()]),
  ],
  resolve: { alias: Object.fromEntries(NOT_ASKED.map((name) => [name, nothing])) },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // How much a page may take is judged by what travels (scripts/bundle.test.ts).
    chunkSizeWarningLimit: 1000,
  },
  server: { host: '127.0.0.1', proxy: { '/api': { target: api, ws: true }, '/engine': api } },
});
