import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { environment: 'happy-dom', include: ['islands/**/*.test.{ts,tsx}'], restoreMocks: true },
});
