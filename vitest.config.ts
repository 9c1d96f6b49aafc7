import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'happy-dom',
    include: ['islands/**/*.test.{ts,tsx}'],
    setupFiles: ['islands/testing/patience.ts'],
    restoreMocks: true,
    pool: 'threads',
    maxWorkers: '100%',
    // For machines that do other work beside: no test of ours waits by itself.
    testTimeout: 30_000,
  },
});
