import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Main script of `npm start`: the built one if everything was built before, else the current sources. */
export const mainScript = (): string => process.env.OSPREY_TEST_MAIN ?? join(root, 'apps/server/src/main.ts');

/** For runs after a build. */
export const BUILT = { OSPREY_TEST_MAIN: join(root, 'dist/server/main.js') };
