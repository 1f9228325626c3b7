/** What `npm run new` makes: for each kind its files, from templates in which everything is called foo, and what is left to do. */

const NATIVE = 'emulator-bridge/native';

/**
 * @typedef {{ is: string, files: Readonly<Record<string, string>>, next: readonly string[], guide: string }} Kind `files`: a template to
 * its place, where `foo_bar`, `foo-bar` and `FooBar` stand for the name
 */

/** @type {Readonly<Record<string, Kind>>} */
export const KINDS = {
  cca: {
    is: 'a congestion-control algorithm',
    files: {
      'cca/foo.cc.txt': `${NATIVE}/cca/foo_bar.cc`,
      'cca/foo_test.cc.txt': `${NATIVE}/tests/cca/foo_bar_test.cc`,
      'cca/foo.md.txt': 'docs/cca/foo-bar.md',
      'cca/foo.about.json.txt': 'server/ccas/foo-bar.about.json',
    },
    next: ['npm run test:native -- -R cca/foo_bar', 'npm run figures -- foo-bar'],
    guide: 'docs/adding-a-cca.md',
  },
  queue: {
    is: 'a queue discipline',
    files: {
      'queue/foo.cc.txt': `${NATIVE}/queue/foo_bar.cc`,
      'queue/foo_test.cc.txt': `${NATIVE}/tests/queue/foo_bar_test.cc`,
    },
    next: ['npm run test:native -- -R queue/foo_bar'],
    guide: 'docs/queues.md',
  },
  element: {
    is: 'an element of a path',
    files: {
      'element/foo.cc.txt': `${NATIVE}/path/foo_bar.cc`,
      'element/foo_test.cc.txt': `${NATIVE}/tests/path/foo_bar_test.cc`,
    },
    next: ['npm run test:native -- -R path/foo_bar'],
    guide: 'docs/paths.md',
  },
  format: {
    is: 'a form in which traces are read',
    files: {
      'format/foo.cc.txt': `${NATIVE}/formats/foo_bar.cc`,
      'format/foo_test.cc.txt': `${NATIVE}/tests/formats/foo_bar_test.cc`,
      'format/seed.txt': `${NATIVE}/fuzz/seeds/foo-bar.txt`,
    },
    next: ['npm run test:native -- -R formats/foo_bar', 'npm run fuzz -- --seconds 60'],
    guide: 'docs/traces.md',
  },
  figure: {
    is: 'a figure of the run page',
    files: {
      'figure/run-foo.plot.tsx.txt': 'web/src/plots/run-foo-bar.plot.tsx',
      'figure/run-foo.test.ts.txt': 'web/src/plots/run-foo-bar.test.ts',
    },
    next: ['npx vitest run web/src/plots/golden.test.tsx -u', 'npm run test:unit -- web/src/plots'],
    guide: 'docs/figures.md',
  },
};
