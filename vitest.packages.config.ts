import { defineConfig } from 'vitest/config';
import { native, tags } from './vitest.native.ts';

/** Tests of the packages without the database that vitest.config.ts starts: tools/mutants runs them once for each fault. */
export default defineConfig({
  test: {
    ...native,
    tags,
    name: 'packages',
    environment: 'node',
    isolate: false,
    include: ['packages/**/*.test.ts'],
    setupFiles: 'tools/test-support/patience.ts',
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
