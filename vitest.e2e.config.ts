import { defineConfig } from 'vitest/config';
import { firstThose, native, tags } from './vitest.native.ts';

/**
 * These measure times and pictures a second, or need all of the processors, as a call of six people does: nothing else runs
 * at the same time.
 */
const alone = ['e2e/{calls,frame-sync,live,live-player,revoked,stream-lost}.spec.ts'];

/** A file with a server of its own ends the one that others of its worker share. */
const sequencer = firstThose((text) => text.includes('isShared: true'));

/** Browser tests. Two at a time: each keeps server, browser and test at work. */
export default defineConfig({
  test: {
    ...native,
    globalSetup: ['apps/server/test/ready-cluster.ts', 'e2e/support/shared-servers.ts'],
    environment: 'node',
    tags,
    sequence: { sequencer },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Facts are waited for, not guessed at: a busy machine takes its time.
    expect: { poll: { timeout: 60_000, interval: 50 } },
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: alone, maxWorkers: 1 },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['e2e/**/*.spec.ts'],
          exclude: alone,
          maxWorkers: 2,
          // They share the browser of their worker.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
