import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { codeAhead } from './scripts/code-ahead.ts';
import { inlineIcons } from './scripts/inline-icons.ts';

export default defineConfig({
  root: 'apps/web',
  plugins: [inlineIcons(), react(), codeAhead()],
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
        codeSplitting: {
          groups: [
            // zod's setting must be made before the first schema is: together they are one chunk, in that order.
            { name: 'zod', test: /zod-jitless|node_modules[\\/]zod[\\/]/, priority: 2 },
            // What every page needs is one file: forty small ones cost the first load more than their bytes.
            { name: 'first', tags: ['$initial'], priority: 1 },
            // So it is with what several pages share: small pieces go to where they are most wanted.
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 12_000 },
          ],
        },
      },
    },
  },
});
