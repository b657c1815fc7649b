import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { inlineIcons } from './scripts/inline-icons.ts';

/** The page of a call: a bundle of its own, which shares no file with the client, so that neither waits for the other. */
export default defineConfig({
  root: 'apps/web',
  publicDir: false,
  plugins: [inlineIcons(), react({ compiler: true })],
  resolve: { alias: { '@emotion/hash': resolve(import.meta.dirname, 'apps/web/src/base/style-hash.ts') } },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: 'apps/web/conference.html',
      // The parts that the client fetches later are here at once.
      checks: { ineffectiveDynamicImport: false },
    },
  },
});
