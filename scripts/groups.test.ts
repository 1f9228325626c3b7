// Which files of the page are made one, and which must not be.
import { describe, expect, it } from 'vitest';
import { groupsOf, type Part } from '../web/groups.ts';

const part = (name: string, of: Partial<Part> = {}): Part => ({
  ...{ file: `${name}.js`, name, modules: [`${name}.ts`], bytes: 500, imports: [], dynamicImports: [] },
  ...{ isEntry: false, isDynamicEntry: false },
  ...of,
});
const page = (name: string, ...imports: readonly string[]): Part => part(name, { imports, isDynamicEntry: true });
const entry = (dynamicImports: readonly string[], imports: readonly string[] = []): Part =>
  part('index', { imports, dynamicImports, isEntry: true });
const together = (parts: readonly Part[]): string[][] => groupsOf(parts).map(({ modules }) => [...modules].sort());

describe('files of the page', () => {
  it('are one where the same pages fetch them, if they are small or not', () => {
    const shared = [part('a', { bytes: 90_000 }), part('b')];
    const parts = [entry(['p.js', 'q.js']), page('p', 'a.js', 'b.js'), page('q', 'a.js', 'b.js'), ...shared];
    expect(together(parts)).toEqual([['a.ts', 'b.ts']]);
  });

  it('are one where others fetch little in vain, and not where they fetch much', () => {
    const parts = (bytes: number): Part[] => [
      ...[entry(['p.js', 'q.js']), page('p', 'a.js', 'b.js'), page('q', 'a.js')],
      ...[part('a'), part('b', { bytes })],
    ];
    expect(together(parts(1000))).toEqual([['a.ts', 'b.ts']]);
    expect(together(parts(50_000))).toEqual([]);
  });

  it('are apart where no page fetches both', () => {
    const parts = [entry(['p.js', 'q.js']), page('p', 'a.js'), page('q', 'b.js'), part('a'), part('b')];
    expect(together(parts)).toEqual([]);
  });

  it('make where most arrive fetch less in vain than other pages', () => {
    const parts = (name: string): Part[] => [
      ...[entry(['p.js', `${name}.js`]), page('p', 'a.js', 'b.js'), page(name, 'a.js')],
      ...[part('a'), part('b', { bytes: 4000 })],
    ];
    expect(together(parts('OtherPage'))).toEqual([['a.ts', 'b.ts']]);
    expect(together(parts('HomePage'))).toEqual([]);
  });

  it('never need one another, however much it would save', () => {
    const parts = (needed: string): Part[] => [
      ...[entry(['p.js', 'q.js']), page('p', 'a.js', 'b.js'), page('q', 'b.js')],
      ...[part('a', { imports: [needed] }), part('b')],
    ];
    expect(together(parts('b.js'))).toEqual([['a.ts', 'b.ts']]);
    // `q` has a file of its own, which would need that of `a` and `b`, which needs it.
    expect(together(parts('q.js'))).toEqual([]);
  });

  it('that are there before a page is opened count for none', () => {
    const parts = [
      ...[entry(['p.js'], ['a.js']), page('p', 'a.js', 'b.js'), page('dialog', 'b.js', 'c.js')],
      ...[part('a'), part('b'), part('c')],
    ];
    const opened = parts.map((one) => (one.name === 'p' ? { ...one, dynamicImports: ['dialog.js'] } : one));
    // The dialog has `b` from the page below it: neither it nor `a` is fetched with `c`.
    expect(together(opened)).toEqual([['a.ts', 'index.ts']]);
  });

  it('that are asked for by themselves keep their names', () => {
    const names = groupsOf([entry(['p.js', 'q.js']), page('p', 'q.js'), page('q')]);
    expect(names.flatMap(({ modules }) => modules)).toEqual([]);
  });
});
