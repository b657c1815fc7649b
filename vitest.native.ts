import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * `npm test` has twenty minutes on two processors. What only widens what other tests show, or starts the product over and
 * over, is `long`: it runs in `npm test -- --long`, and by the number of its check in `npm run soak`.
 */
export const tags = [{ name: 'long', description: 'Left out of npm test for the time it takes' }];

/**
 * Node reads the tests as it reads the product, and keeps what it compiled for the next file, with half of the processor
 * time that Vite's own runner takes. It cannot put one module in the place of another.
 */
export const native = {
  // Most of what a test makes is thrown away with it: room for it is collected seldom, and by the thread that made it, since
  // where every processor has work, helpers of the collector only wait for each other.
  execArgv: [
    ...['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
    '--initial-old-space-size=400',
  ],
  experimental: { viteModuleRunner: false, nodeLoader: false },
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/osprey') },
};

/** Sorts files whose text matches first and together: a worker keeps what it started for the file before. */
export function firstThose(isSo: (text: string) => boolean): typeof BaseSequencer {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      const first = new Set(sorted.filter(({ moduleId }) => isSo(readFileSync(moduleId, 'utf8'))));
      return [...first, ...sorted.filter((file) => !first.has(file))];
    }
  };
}
