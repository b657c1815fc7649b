import type { Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;

/** Module that begins a recording before any other code of the client is there. */
export const BEGIN = '/src/player/first/begin.ts';

/** The pages that are opened most, by what apps/web/public/early.js calls them: ends of the paths of the modules that they begin with. */
export const PAGES: Record<string, readonly string[]> = {
  missions: ['/src/pages/MissionsPage.tsx'],
  // The view waits for its features before it is drawn.
  mission: ['/src/missionview/MissionView.tsx', '/view-feature.tsx'],
  // A file of its own: it plays while the code of the view around it still begins.
  player: [BEGIN, '/src/player/hls/hls-code.ts'],
};

/** Names of all files that a page needs before it can be drawn. */
export function filesOfPage(bundle: Bundle, page: string): Set<string> {
  const files = new Set<string>();
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  for (const module of PAGES[page]!) {
    const facades = chunks.filter(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
    // A module may share a chunk with others.
    const holders = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
    const begin = module.startsWith('/src/') && facades.length > 0 ? facades : [...facades, ...holders];
    if (begin.length === 0) throw new Error(`No chunk holds ${module}`);
    for (const { fileName } of begin) withImports(bundle, fileName, files);
  }
  return files;
}

/** Adds a file and all that it imports, and that those do, styles too. */
export function withImports(bundle: Bundle, file: string, files = new Set<string>()): Set<string> {
  const own = bundle[file];
  if (own?.type !== 'chunk' || files.has(file)) return files;
  files.add(file);
  for (const style of own.viteMetadata?.importedCss ?? []) files.add(style);
  for (const imported of own.imports) withImports(bundle, imported, files);
  return files;
}
