import type { Plugin } from 'vite';

/** What Vite's helper writes when it fetches ahead what a module imports. */
const HELPER = 'vite/preload-helper';
const AS_MODULE = /"modulepreload"/g;

const MODULE_SCRIPT = /<script type="module"[^>]*\ssrc="([^"]+)"/g;

/**
 * Has code fetched ahead as scripts, though it runs as modules. Chromium keeps what it compiled of both, but takes it up
 * again only of what it fetched as a script: modules that it fetched as such it compiles anew at each visit.
 */
export function keptCode(): Plugin {
  return {
    name: 'kept-code',
    transform(code, id) {
      if (!id.includes(HELPER)) return null;
      const changed = code.replace(AS_MODULE, '"preload"');
      if (changed === code) throw new Error('Vite fetches code ahead in another way than this plugin knows');
      return changed;
    },
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        return [...html.matchAll(MODULE_SCRIPT)].map(([, href]) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'script', crossorigin: '', href: href! },
          injectTo: 'head-prepend',
        }));
      },
    },
  };
}
