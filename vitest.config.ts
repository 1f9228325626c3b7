import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';
import { serverBundle } from './scripts/lib/server-bundle.mjs';

// What tests start as a program of its own.
await serverBundle();

/** Vitest itself leaves a core alone: of two, half of all. */
const cores = availableParallelism();

/** What runs in real time, and so waits for most of it: together, when nothing else runs. */
const REALTIME = [
  'emulator-bridge/src/**/*.test.ts',
  'server/src/cli/cli.test.ts',
  'server/src/{clock-step,crash,external-programs,external-runs}.test.ts',
  'server/src/live/live.test.ts',
];

/** What says how long something took: one file at a time, when nothing else runs. */
const TIMED = [
  'server/src/{slices,soak}.test.ts',
  'server/src/experiments/large-experiment.test.ts',
  'server/src/http/api.test.ts',
  'server/src/jobs/scheduler.test.ts',
];

/** What hangs is named; nothing says by this how long anything may take, on a machine that is slow and busy. */
const PATIENCE_MS = 240_000;
const node = { environment: 'node' as const, testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS };
const together = { maxWorkers: 2 * cores, sequence: { groupOrder: 1 } };
const waiting = { maxWorkers: 2 * cores, sequence: { groupOrder: 2 } };
const alone = { maxWorkers: 1, sequence: { groupOrder: 3 } };

// Where files are not isolated they share what they import, which takes longer to read than most take to run: each cleans up after itself.
export default defineConfig({
  test: {
    // What is missing fails, as on another machine: golden outputs are written when somebody asks for it (-u).
    update: 'none',
    projects: [
      {
        // Pure functions: their files can share what they import.
        test: {
          ...node,
          ...together,
          name: 'pure',
          include: ['emulator-bridge/protocol/**/*.test.ts', 'server/analysis/**/*.test.ts'],
          isolate: false,
        },
      },
      {
        test: {
          ...node,
          ...together,
          name: 'server',
          isolate: false,
          include: ['emulator-bridge/engine/**/*.test.ts', 'server/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'server/analysis/**', ...REALTIME, ...TIMED],
        },
      },
      { test: { ...node, ...waiting, name: 'realtime', include: REALTIME } },
      { test: { ...node, ...alone, name: 'timed', include: TIMED } },
      {
        plugins: [react()],
        test: {
          ...together,
          name: 'web',
          isolate: false,
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          testTimeout: PATIENCE_MS,
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
    ],
  },
});
