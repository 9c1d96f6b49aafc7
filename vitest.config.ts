import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'happy-dom',
    setupFiles: ['islands/testing/setup.ts'],
    restoreMocks: true,
    pool: 'threads',
    maxWorkers: '100%',
    // For busy machines; no test waits for a fixed time.
    testTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'logic',
          include: ['islands/**/*.test.ts'],
          // A DOM for each file takes longer than its tests; testing/setup.ts separates the files.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          // React may still render and call the shop after the last test of a file.
          include: ['islands/**/*.test.tsx'],
        },
      },
    ],
  },
});
