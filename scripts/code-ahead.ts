import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { BEGIN, filesOfPage, PAGES, withImports } from './pages.ts';

const root = resolve(import.meta.dirname, '../apps/web');

/** Vite's helper for modules that are loaded on demand, and how it fetches their imports. */
const HELPER = 'vite/preload-helper';
const AS_MODULE = /"modulepreload" : "preload"/;

/** Vite's tags for the page's first file, and for the files that this one imports. */
const FIRST_FILES = /\s*<(?:script type="module"[^>]*><\/script|link rel="modulepreload"[^>]*)>/g;

/**
 * Names in the page the files that it is made of, and those of the pages that are opened most. apps/web/public/early.js
 * fetches them, in the way that suits this visit, while the first file still runs, which would only then ask for them.
 */
export function codeAhead(): Plugin {
  return {
    name: 'code-ahead',
    buildStart() {
      // No module imports this one: the page itself loads it.
      this.emitFile({ type: 'chunk', id: join(root, BEGIN), preserveSignature: 'strict' });
    },
    transform(code, id) {
      if (!id.includes(HELPER)) return null;
      if (!AS_MODULE.test(code)) throw new Error('Vite fetches code ahead in another way than this plugin knows');
      return code.replace(AS_MODULE, 'globalThis.ospreyCodeRel : "preload"');
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, chunk }) {
        if (!bundle || !chunk) return [];
        const known = withImports(bundle, chunk.fileName);
        const named = Object.keys(PAGES).map((page) => {
          const files = [...filesOfPage(bundle, page)].filter((file) => !known.has(file));
          return [page, files.map((file) => `/${file}`)];
        });
        // The page's own file comes last: the others run before it.
        const first = [...known]
          .filter((file) => file.endsWith('.js'))
          .reverse()
          .map((file) => `/${file}`);
        const content = JSON.stringify({ first, ...Object.fromEntries(named) });
        return {
          html: html.replace(FIRST_FILES, ''),
          tags: [{ tag: 'meta', attrs: { name: 'osprey-code', content }, injectTo: 'head-prepend' }],
        };
      },
    },
  };
}
