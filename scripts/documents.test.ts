// What the repository's files refer to is in the repository: documents, sections and checks of the reference, headings that are linked; and none
// speaks of folders that its readers do not have.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './lib/paths.mjs';

/** Lists of packages name nothing of ours. */
const NOT_WRITTEN = /^package-lock\.json$|^NOTICE$|(^|\/)Cargo\.lock$|\.(woff2|png)$/;
const names = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
})
  .trim()
  .split('\n')
  .filter((name) => !NOT_WRITTEN.test(name));
const files = names.flatMap((name) => {
  try {
    return [{ name, text: readFileSync(join(ROOT, name), 'utf8') }];
  } catch {
    return []; // taken away, and git does not know yet
  }
});
const documents = new Set(files.map(({ name }) => name).filter((name) => name.endsWith('.md')));
const textOf = (name: string): string => files.find((file) => file.name === name)?.text ?? '';

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
/** Every place of a pattern in every file. */
const places = (pattern: RegExp): { name: string; place: string; match: RegExpMatchArray }[] =>
  files.flatMap(({ name, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ name, place: `${name}:${lineOf(text, match.index)}`, match })),
  );

describe('what the files refer to', () => {
  /** Files of examples, which a reader is to write. */
  const TO_BE_WRITTEN = /^docs\/cca\/foo(-bar)?\.md$/;
  const isThere = (cited: string, from: string): boolean =>
    [cited, join('docs', cited), join(dirname(from), cited), join('docs', basename(cited))].some((path) =>
      documents.has(normalize(path)),
    ) || TO_BE_WRITTEN.test(cited);

  it('are documents of the repository', () => {
    const cited = places(/(?<![\w./-])(?!https?:)(?:\.{0,2}\/)*[\w-][\w./-]*\.md\b(?!\.\w)/g);
    expect(cited.length).toBeGreaterThan(200);
    const missing = cited.filter(({ name, match: [document] }) => !isThere(document, name));
    expect(missing.map(({ place, match: [document] }) => `${place}: ${document}`)).toEqual([]);
  });

  it('are headings that the linked documents have', () => {
    const slugs = (text: string): string[] =>
      [...text.matchAll(/^#+ +(.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      );
    const linked = places(/\]\(([\w./-]*\.md)?#([^)\s]+)\)/g).filter(({ name }) => name.endsWith('.md'));
    expect(linked.length).toBeGreaterThan(3);
    const missing = linked.filter(({ name, match: [, document, anchor = ''] }) => {
      const target = document === undefined ? name : normalize(join(dirname(name), document));
      return !slugs(textOf(target)).includes(anchor);
    });
    expect(missing.map(({ place, match: [link] }) => `${place}: ${link}`)).toEqual([]);
  });

  it('are sections and checks that the reference has', () => {
    const sections = new Map(
      textOf('docs/reference.md')
        .split(/^(?=###? \d)/m)
        .slice(1)
        .map((section): [string, number[]] => [
          /^#+ ([\d.]+)/.exec(section)?.[1] ?? '',
          [...section.matchAll(/^(\d+)\. /gm)].map(([, check]) => Number(check)),
        ]),
    );
    expect(sections.size).toBeGreaterThan(30);
    const cited = places(
      /\b(?:docs\/reference\.md|reference) (\d+(?:\.\d+)?)(?:, checks? (\d+)| \((\d+)(?:–\d+|, \d+)*\))?/gi,
    ).filter(({ name }) => !name.startsWith('CHANGELOG'));
    expect(cited.length).toBeGreaterThan(100);
    const missing = cited.filter(({ match: [, section = '', written, bracketed] }) => {
      const check = written ?? bracketed;
      const checks = sections.get(section);
      return checks === undefined || (check !== undefined && !checks.includes(Number(check)));
    });
    expect(missing.map(({ place, match: [citation] }) => `${place}: ${citation}`)).toEqual([]);
  });
});

describe('folders that only some checkouts lie beside', () => {
  /** Optional input of checks: one place for scripts, one for native tests. */
  const LOOKS_FOR = ['scripts/lib/recordings.mjs', 'emulator-bridge/native/tests/recordings.hh'];

  it('are spoken of where checks look for more recordings, and nowhere else', () => {
    const outside = places(/\.\.\/shared\b(?!-)|(?<![\w./-])shared\/(?:traces|papers)|"shared" \/|\bcca.reference\b/g);
    expect([...new Set(outside.map(({ name }) => name))].sort()).toEqual([...LOOKS_FOR].sort());
  });
});
