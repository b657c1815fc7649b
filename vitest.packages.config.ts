import { defineConfig } from 'vitest/config';

/** Unit tests of the pure packages and tools alone: no database is started for them. */
export default defineConfig({
  test: { include: ['{packages,tools}/**/*.test.ts'], environment: 'node', testTimeout: 90_000 },
});
