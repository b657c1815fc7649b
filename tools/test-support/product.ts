import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** What `npm start` starts: as it was built where all of it was built before, else the sources as they are now. */
export const mainScript = (): string => process.env.OSPREY_TEST_MAIN ?? join(root, 'apps/server/src/main.ts');

/** For what is run after a build. */
export const BUILT = { OSPREY_TEST_MAIN: join(root, 'dist/server/main.js') };
