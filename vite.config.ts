import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type InlineConfig, type Rolldown } from 'vite';
import { codeAhead } from './scripts/code-ahead.ts';
import { importCycle } from './scripts/import-cycle.ts';
import { inlineIcons } from './scripts/inline-icons.ts';
import { groupsOfPages } from './scripts/page-groups.ts';
import { BEGIN } from './scripts/pages.ts';
import { withoutSummaries } from './scripts/without-summaries.ts';

type Group = Rolldown.CodeSplittingGroup;

// zod's setting must be made before the first schema is: together they are one file, in that order.
const zod: Group = { name: 'zod', test: /zod-jitless|node_modules[\\/]zod[\\/]/ };
// It must need no other file: it takes along what it imports.
const begin: Group = { name: 'begin', test: (id) => id.endsWith(BEGIN) };
// What every page needs is one file: forty small ones cost the first load more than their bytes.
const first: Group = { name: 'first', tags: ['$initial'] };
// Modules that several other pages share. Files below this number of bytes are merged with others of the same pages.
const sharedOf = (mergeBytes: number): Group => ({
  ...{ name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: mergeBytes },
});
const MERGE_BYTES = 12_000;

/** Earlier groups take their modules first. */
const configOf = (...groups: Group[]): InlineConfig => ({
  root: 'apps/web',
  plugins: [inlineIcons(), withoutSummaries(), react({ compiler: true }), codeAhead()],
  resolve: { alias: { '@emotion/hash': resolve(import.meta.dirname, 'apps/web/src/base/style-hash.ts') } },
  worker: { format: 'es' },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Every browser of that year fetches ahead by itself.
    modulePreload: { polyfill: false },
    // One fixed name for the first chunk of each entry is not needed; hashes let the server cache for ever.
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      // A file that takes one constant from another would else wait for all of it.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        // Named by the pages that share them, their names alone would be a kilobyte of the first load.
        chunkFileNames: ({ name }) => `assets/${name.startsWith('shared~') ? '' : '[name]-'}[hash].js`,
        codeSplitting: { groups: groups.map((group, at) => ({ ...group, priority: groups.length - at })) },
      },
    },
  },
});

/**
 * Builds the client. Merging files can make two of them import each other; code that runs when a file is loaded may then
 * use what the other file has not defined yet, and the page cannot be loaded. Such a build is repeated with a smaller
 * limit, at last without merging.
 */
export async function buildClient(): Promise<void> {
  const pages = await groupsOfPages(configOf(zod, begin, first));
  for (const mergeBytes of [MERGE_BYTES, MERGE_BYTES / 2, 0]) {
    const config = configOf(zod, begin, first, ...pages, sharedOf(mergeBytes));
    const { output } = (await build({ ...config, configFile: false, logLevel: 'warn' })) as Rolldown.RolldownOutput;
    if (importCycle(output) === null) return;
  }
  throw new Error('Files of the built client import each other in a circle.');
}

export default defineConfig(async () => {
  const pages = await groupsOfPages(configOf(zod, begin, first));
  return configOf(zod, begin, first, ...pages, sharedOf(MERGE_BYTES));
});
