import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Without a build there is none of what the package's own imports name.
  resolve: { alias: { '#aws-sdk': fileURLToPath(new URL('../src/aws/sdk', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    // A test may load any part alone; the programs load all messages with whatever puts errors into words.
    setupFiles: './src/messages/catalogue.ts',
    globalSetup: './test/temporary-folder.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most tests wait for servers and child processes.
    maxWorkers: 2,
    reporters: ['default', './test/closing-reporter.ts'],
  },
});
