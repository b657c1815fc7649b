import type { Plugin } from 'vite';

/** By what apps/web/public/early.js calls it: the modules that are loaded on demand. */
const wanted: Record<string, readonly string[]> = {
  missions: ['/src/pages/MissionsPage.tsx'],
  mission: ['/src/missionview/MissionView.tsx', '/src/player/hlsCode.ts'],
};

/** What Vite writes for modules that are loaded on demand, and how it fetches what they import. */
const HELPER = 'vite/preload-helper';
const AS_MODULE = /"modulepreload" : "preload"/;

const MODULE_SCRIPTS = /\s*<script type="module"[^>]*><\/script>/g;

/**
 * Names in the page the files that it is made of, and those of the list of missions and the view of one. early.js fetches
 * them, in the way that suits this visit, while the first file still runs, which would only then ask for them.
 */
export function codeAhead(): Plugin {
  return {
    name: 'code-ahead',
    transform(code, id) {
      if (!id.includes(HELPER)) return null;
      if (!AS_MODULE.test(code)) throw new Error('Vite fetches code ahead in another way than this plugin knows');
      return code.replace(AS_MODULE, 'globalThis.ospreyCodeRel : "preload"');
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, chunk }) {
        if (!bundle || !chunk) return [];
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const page = withImports(chunk.fileName);
        const scripts = [...html.matchAll(MODULE_SCRIPTS)].map(([script]) => /src="([^"]+)"/.exec(script)![1]);
        const named = Object.entries(wanted).map(([name, modules]) => {
          const files = new Set(modules.flatMap((module) => [...withImports(fileOf(module))]));
          return [name, [...files].filter((file) => !page.has(file)).map((file) => `/${file}`)];
        });
        const content = JSON.stringify({ page: scripts, ...Object.fromEntries(named) });
        return {
          html: html.replace(MODULE_SCRIPTS, ''),
          tags: [{ tag: 'meta', attrs: { name: 'osprey-code', content }, injectTo: 'head-prepend' }],
        };

        function fileOf(module: string): string {
          const found = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
          if (!found) throw new Error(`No chunk begins with ${module}`);
          return found.fileName;
        }
        function withImports(file: string, seen = new Set<string>()): Set<string> {
          const own = chunks.find(({ fileName }) => fileName === file);
          if (!own || seen.has(file)) return seen;
          seen.add(file);
          for (const style of own.viteMetadata?.importedCss ?? []) seen.add(style);
          for (const imported of own.imports) withImports(imported, seen);
          return seen;
        }
      },
    },
  };
}
