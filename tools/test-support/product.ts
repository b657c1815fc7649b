import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Main script of `npm start`: the built one if everything has been built, otherwise the current sources. */
export const mainScript = (): string => process.env.OSPREY_TEST_MAIN ?? join(root, 'apps/server/src/main.ts');

/** Environment for runs after a build. */
export const BUILT = { OSPREY_TEST_MAIN: join(root, 'dist/server/main.js') };
