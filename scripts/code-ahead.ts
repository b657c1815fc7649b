import type { Plugin } from 'vite';

/** By what apps/web/public/early.js calls it: the modules that are loaded on demand. */
const wanted: Record<string, readonly string[]> = {
  missions: ['/src/pages/MissionsPage.tsx'],
  mission: ['/src/missionview/MissionView.tsx', '/src/player/hlsCode.ts'],
};

/**
 * Names in the page the files that the list of missions, and the view of one, are made of. The browser fetches them while
 * the first file still runs, which would only then ask for them.
 */
export function codeAhead(): Plugin {
  return {
    name: 'code-ahead',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, chunk }) {
        if (!bundle || !chunk) return [];
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const known = withImports(chunk.fileName);
        const named = Object.entries(wanted).map(([name, modules]) => {
          const files = new Set(modules.flatMap((module) => [...withImports(fileOf(module))]));
          return [name, [...files].filter((file) => !known.has(file)).map((file) => `/${file}`)];
        });
        const content = JSON.stringify(Object.fromEntries(named));
        return [{ tag: 'meta', attrs: { name: 'osprey-code', content }, injectTo: 'head-prepend' }];

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
