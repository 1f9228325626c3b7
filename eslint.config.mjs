import js from '@eslint/js';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** A room may import only downwards: protocol <- analysis, bridge <- server; protocol and analysis <- web. */
const forbid = (why, ...patterns) => ['error', { patterns: patterns.map((regex) => ({ regex, message: why })) }];
const NODE = '^node:';
const UI = '^(react|react-dom|react-aria-components|d3|@tanstack/.*)(/|$)';
const SERVER_SIDE = '^(express|ws|better-sqlite3|busboy|pino|pino-http|prom-client)(/|$)';
const BRIDGE = '^#bridge/|/emulator-bridge/src/';
const SERVER = '^#server/|/server/src/';
const WEB = '/web/src/';
const ANALYSIS = '^#analysis/|/server/analysis/';

const tests = ['**/*.test.ts', '**/*.test.tsx', 'e2e/**/*.ts'];

export default defineConfig(
  globalIgnores(['**/node_modules', '**/build', '**/dist', 'test-results', 'playwright-report', 'data']),
  js.configs.recommended,
  // What needs to know types stands in .oxlintrc.json: a program that reads types natively takes a tenth of the time.
  tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
      ],
      eqeqeq: 'error',
    },
  },
  // A program of the page's language is its default export.
  {
    files: ['*.config.{ts,mjs}', 'web/*.config.ts', 'emulator-bridge/engine/own/examples/*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['emulator-bridge/protocol/**/*.ts'],
    ignores: tests,
    rules: {
      'no-restricted-imports': forbid(
        'protocol/ is the contract that every room reads: it imports only zod and itself.',
        NODE,
        UI,
        SERVER_SIDE,
        BRIDGE,
        SERVER,
        ANALYSIS,
        WEB,
      ),
      'no-restricted-globals': ['error', 'window', 'document', 'localStorage', 'process', 'Buffer'],
    },
  },
  {
    files: ['server/analysis/**/*.ts'],
    ignores: tests,
    rules: {
      'no-restricted-imports': forbid(
        'analysis/ is shared with the page: pure functions over protocol types only.',
        NODE,
        UI,
        SERVER_SIDE,
        BRIDGE,
        SERVER,
        WEB,
      ),
      'no-restricted-globals': ['error', 'window', 'document', 'localStorage', 'process', 'Buffer'],
    },
  },
  {
    files: ['emulator-bridge/src/**/*.ts'],
    rules: {
      'no-restricted-imports': forbid(
        'The bridge knows the protocol and the native programs only.',
        UI,
        SERVER_SIDE,
        SERVER,
        ANALYSIS,
        WEB,
      ),
    },
  },
  {
    files: ['server/src/**/*.ts', 'server/studies/**/*.ts'],
    rules: { 'no-restricted-imports': forbid('The server knows no page code.', UI, WEB) },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: tests,
    rules: {
      'no-restricted-imports': forbid(
        'The page talks to the server over HTTP and WebSocket; it shares only protocol and analysis.',
        NODE,
        SERVER_SIDE,
        BRIDGE,
        SERVER,
      ),
    },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: tests,
    // What is longer is several things: its parts have names, and files where a reader looks for them.
    rules: { 'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }] },
  },
  { files: ['web/src/**/*.tsx'], ...jsxA11y.flatConfigs.recommended },
  { files: ['web/src/**/*.{ts,tsx}'], ...reactHooks.configs.flat['recommended-latest'] },
  {
    files: tests,
    rules: {
      // Playwright reads a fixture's needs from its destructuring, so `({}, use) =>` is how to say `none`.
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  // Plain JavaScript, because it runs before anything is installed; tsc checks its types (tsconfig.tools.json).
  { files: ['**/*.mjs'], rules: { 'no-undef': 'off' } },
  // What packages that are CommonJS ask for.
  { files: ['**/*.cjs'], rules: { 'no-undef': 'off', '@typescript-eslint/no-require-imports': 'off' } },
);
