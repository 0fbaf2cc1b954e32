import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: './test/temporary-folder.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/closing-reporter.ts'],
  },
});
