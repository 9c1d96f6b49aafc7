import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'happy-dom',
    include: ['islands/**/*.test.{ts,tsx}'],
    setupFiles: ['islands/testing/patience.ts'],
    restoreMocks: true,
    pool: 'threads',
    maxWorkers: '100%',
    // For busy machines; no test waits for a fixed time.
    testTimeout: 30_000,
  },
});
