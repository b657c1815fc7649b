import { defineConfig } from 'vitest/config';

/** Streams in real time, whose losses are counted: nothing runs beside them. They need no database. */
const alone = [
  'apps/server/src/live/recording/{all-killed,faults,kills,power-cut,soak}.test.ts',
  'apps/server/src/compose/recorder-flood.test.ts',
];

export default defineConfig({
  test: {
    setupFiles: 'tools/test-support/patience.ts',
    // Facts are waited for, not guessed at: a busy machine takes its time.
    expect: { poll: { timeout: 20_000 } },
    // Component tests ask for jsdom on their first line; everything else runs in plain Node.
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['{packages,apps,tools}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', ...alone],
          globalSetup: 'apps/server/test/postgres.ts',
          // Much of the time goes into waiting for processes and disks: one file at a time would leave a core idle.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
