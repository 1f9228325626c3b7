import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const node = { environment: 'node' as const, testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      { test: { ...node, name: 'emulator-bridge', include: ['emulator-bridge/**/*.test.ts'] } },
      { test: { ...node, name: 'server', include: ['server/**/*.test.ts', 'scripts/**/*.test.ts'] } },
      {
        plugins: [react()],
        test: {
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
    ],
  },
});
