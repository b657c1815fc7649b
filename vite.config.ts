import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type InlineConfig, type Rolldown } from 'vite';
import { codeAhead } from './scripts/code-ahead.ts';
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
// So it is with what several other pages share: small pieces go to where they are most wanted.
const shared: Group = { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 12_000 };

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

export default defineConfig(async () => {
  const pages = await groupsOfPages(configOf(zod, begin, first));
  return configOf(zod, begin, first, ...pages, shared);
});
