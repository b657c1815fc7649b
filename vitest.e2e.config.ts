import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { native } from './vitest.native.ts';

/** These hold figures of time and of pictures a second: beside them runs only what leaves them the processors. */
const alone = ['frame-sync', 'live', 'revoked', 'stream-lost'].map((name) => `e2e/${name}.spec.ts`);

/** Long for their size, which Vitest goes by: begun last, one of them would keep a single core for a minute. */
const LONG = /e2e\/(?:live-player|bin|view-layout|users|recorded)\.spec/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => Number(LONG.test(other.moduleId)) - Number(LONG.test(one.moduleId)));
  }
}

/** Browser tests, each file against a server of its own. Four at a time leave no core idle. */
export default defineConfig({
  test: {
    ...native,
    environment: 'node',
    sequence: { sequencer: LongFirst },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Facts are waited for, not guessed at: a busy machine takes its time.
    expect: { poll: { timeout: 30_000, interval: 50 } },
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
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
