// The page of a share's file: one script and one style sheet with everything in them (server/src/shares/share-file.ts).
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { oneLanguage } from './one-language.ts';
import { translated } from './translated.ts';
import { withoutDescriptions } from './without-descriptions.ts';
import { withoutJsonSchemas } from './without-json-schemas.ts';

const ALL = Number.MAX_SAFE_INTEGER;

/** In which the page speaks (docs/texts.md); empty: English, as its sources have it. */
const language = process.env['PACELINE_LANGUAGE'] ?? '';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [translated(language), react(), oneLanguage(language), withoutDescriptions(), withoutJsonSchemas()],
  build: {
    outDir: 'dist/offline',
    emptyOutDir: true,
    copyPublicDir: false,
    target: 'es2022',
    assetsInlineLimit: ALL,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: ALL,
    rolldownOptions: {
      input: fileURLToPath(new URL('src/offline/main.tsx', import.meta.url)),
      output: { format: 'es', codeSplitting: false, entryFileNames: 'share.js', assetFileNames: 'share[extname]' },
    },
  },
});
