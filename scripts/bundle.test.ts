// What a browser fetches before it shows anything, and what it fetches then. Sizes are those that travel: packed with brotli.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ROOT } from './lib/paths.mjs';

const BEFORE_ANY_PAGE_BYTES = 250_000;
/** The heaviest pages: everything that a permalink to them takes. A page more that shares their modules packs these a little worse. */
const ANY_PAGE_BYTES = 341_000;
/** Where most arrive. */
const HOME_BYTES = 225_000;

/** Each is a request: by itself the bundler makes a hundred of some pages. */
const ANY_PAGE_SCRIPTS = 25;

const DIST = `${ROOT}/web/dist`;
const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().default(false),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
  }),
);

let chunks: z.infer<typeof Manifest>;
beforeAll(() => {
  chunks = Manifest.parse(JSON.parse(readFileSync(`${DIST}/.vite/manifest.json`, 'utf8')));
});

function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const other of chunks[name]?.imports ?? []) withImports(other, seen);
  return seen;
}

const travels = (file: string): number =>
  statSync(existsSync(`${DIST}/${file}.br`) ? `${DIST}/${file}.br` : `${DIST}/${file}`).size;
const bytes = (names: ReadonlySet<string>): number =>
  [...names].reduce((sum, name) => sum + travels(chunks[name]?.file ?? ''), 0);

const entry = (): string => Object.keys(chunks).find((name) => chunks[name]?.isEntry) ?? '';

describe('the code of the page', () => {
  it('is small before the first page of it', () => {
    const size = bytes(withImports(entry()));
    expect(size).toBeGreaterThan(50_000);
    expect(size).toBeLessThanOrEqual(BEFORE_ANY_PAGE_BYTES);
  });

  it('is small with whatever page is opened, and each page has its own', () => {
    const pages = (chunks[entry()]?.dynamicImports ?? []).filter((name) => name.endsWith('Page.tsx'));
    expect(pages.length).toBeGreaterThanOrEqual(12);
    const sizes = pages.map((name) => [name, bytes(new Set([...withImports(entry()), ...withImports(name)]))] as const);
    expect(sizes.filter(([, size]) => size > ANY_PAGE_BYTES)).toEqual([]);
    expect(sizes.filter(([name, size]) => name.endsWith('HomePage.tsx') && size > HOME_BYTES)).toEqual([]);
  });

  it('comes in few files, whatever page is opened', () => {
    const pages = (chunks[entry()]?.dynamicImports ?? []).filter((name) => name.endsWith('Page.tsx'));
    expect(pages.length).toBeGreaterThanOrEqual(12);
    const counts = pages.map((name) => [name, new Set([...withImports(entry()), ...withImports(name)]).size] as const);
    expect(counts.filter(([, count]) => count > ANY_PAGE_SCRIPTS)).toEqual([]);
  });

  it('leaves out what schemas and columns say to those who read documents', () => {
    const scripts = Object.values(chunks).filter(({ file }) => file.endsWith('.js'));
    const text = scripts.map(({ file }) => readFileSync(`${DIST}/${file}`, 'utf8')).join('');
    expect(text).toContain('queue_max_bytes');
    expect(text).not.toContain('absent where the path is loss, bottleneck, delay');
    expect(text).not.toContain('Bytes that left the queue through an opportunity');
  });

  it('is packed, and speaks one language', () => {
    const scripts = Object.values(chunks).filter(({ file }) => file.endsWith('.js'));
    for (const { file } of scripts) {
      const text = readFileSync(`${DIST}/${file}`, 'utf8');
      if (text.length > 1000)
        expect([file, existsSync(`${DIST}/${file}.br`), existsSync(`${DIST}/${file}.gz`)]).toEqual([file, true, true]);
      expect([file, /[\u0400-\u04ff]{4}/.test(text)]).toEqual([file, false]);
    }
  });
});
