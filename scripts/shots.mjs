/**
 * `npm run shots`: a picture of every view (e2e/support/views.ts) on a desk and on a phone, by day and by night, and all of them on one
 * sheet for a person to look at: build/shots/index.html.
 */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { ROOT } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

const PICTURES = `${ROOT}/build/test-results/screens`;
const SHEET = `${ROOT}/build/shots`;
const VARIANTS = ['desk-light', 'desk-dark', 'phone-light', 'phone-dark'];

rmSync(PICTURES, { recursive: true, force: true });
process.env['PACELINE_SCREENS'] = '1';
await run('npx', ['playwright', 'test', '--project=journeys', 'e2e/a11y.spec.ts', '--grep', 'of the views'], {
  cwd: ROOT,
  echo: true,
});

const names = readdirSync(PICTURES).filter((name) => name.endsWith('.png'));
const views = [...new Set(names.map((name) => name.replace(/-(desk|phone)-(light|dark)\.png$/, '')))].sort();
rmSync(SHEET, { recursive: true, force: true });
mkdirSync(SHEET, { recursive: true });
cpSync(PICTURES, SHEET, { recursive: true });

/** @param {string} view @param {string} variant */
const picture = (view, variant) => {
  const file = `${view}-${variant}.png`;
  return names.includes(file)
    ? `<a href="${file}"><img loading="lazy" src="${file}" alt="${view}, ${variant}" class="${variant}"></a>`
    : '<span>no picture</span>';
};
writeFileSync(
  `${SHEET}/index.html`,
  `<!doctype html><meta charset="utf-8"><title>Paceline: every view</title>
<style>
  body { margin: 24px; font: 14px system-ui; background: #8a8f98; }
  section { display: grid; grid-template-columns: 1fr 1fr auto auto; gap: 12px; align-items: start; margin-bottom: 32px; }
  h2 { grid-column: 1 / -1; margin: 0; }
  img { display: block; width: 100%; border: 1px solid #555; }
  img.phone-light, img.phone-dark { width: 195px; }
</style>
<h1>Every view</h1>
${views.map((view) => `<section id="${view}"><h2>${view}</h2>${VARIANTS.map((variant) => picture(view, variant)).join('')}</section>`).join('\n')}
`,
);
console.log(`${names.length} pictures of ${views.length} views: ${SHEET}/index.html`);
