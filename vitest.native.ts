import { join } from 'node:path';

/**
 * Node reads the tests as it reads the product, and keeps what it compiled for the next file, with half of the processor
 * time that Vite's own runner takes. It cannot put one module in the place of another.
 */
export const native = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/osprey') },
};
