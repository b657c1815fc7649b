import { join } from 'node:path';

/**
 * Node reads the tests as it reads the product, and keeps what it compiled for the next file, with half of the processor
 * time that Vite's own runner takes. It cannot put one module in the place of another.
 */
export const native = {
  // Most of what a test makes is thrown away with it: room for it is collected seldom, and by the thread that made it, since
  // where every processor has work, helpers of the collector only wait for each other.
  execArgv: ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
  experimental: { viteModuleRunner: false, nodeLoader: false },
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/osprey') },
};
