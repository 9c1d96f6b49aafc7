import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'happy-dom',
    include: ['islands/**/*.test.{ts,tsx}'],
    setupFiles: ['islands/testing/setup.ts'],
    restoreMocks: true,
    pool: 'threads',
    // A browser and React for each test file take longer than the tests; testing/setup.ts separates the files.
    isolate: false,
    maxWorkers: '100%',
    // For busy machines; no test waits for a fixed time.
    testTimeout: 30_000,
  },
});
