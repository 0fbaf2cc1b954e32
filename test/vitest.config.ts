import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A test may load any part alone; the programs load all messages with whatever puts errors into words.
    setupFiles: './src/messages/catalogue.ts',
    globalSetup: './test/temporary-folder.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/closing-reporter.ts'],
  },
});
