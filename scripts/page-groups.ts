import { build, type InlineConfig } from 'vite';
import { filesOfPage, PAGES } from './pages.ts';

type Group = { name: string; test: (id: string) => boolean };

/**
 * One file for modules that several of the pages need, and one for the rest of each page. Cut by importer, it was forty
 * files, and each costs a page some milliseconds. Only a build shows which modules these are, since it leaves out
 * unused ones: this one writes nothing.
 */
export async function groupsOfPages(config: InlineConfig): Promise<Group[]> {
  const pagesOf = new Map<string, string[]>();
  await build({
    ...config,
    configFile: false,
    logLevel: 'warn',
    build: { ...config.build, write: false, minify: false },
    plugins: [
      ...(config.plugins ?? []),
      {
        name: 'page-groups',
        generateBundle(_options, bundle) {
          for (const page of Object.keys(PAGES)) {
            for (const file of filesOfPage(bundle, page)) {
              const chunk = bundle[file];
              if (chunk?.type !== 'chunk') continue;
              for (const id of chunk.moduleIds) pagesOf.set(id, [...(pagesOf.get(id) ?? []), page]);
            }
          }
        },
      },
    ],
  });
  const groups = new Map([...pagesOf.values()].map((pages) => [nameOf(pages), pages.length]));
  // Groups of several pages first: the first group takes along what its modules import.
  const names = [...groups].sort(([, a], [, b]) => b - a).map(([name]) => name);
  return names.map((name) => ({ name, test: (id) => nameOf(pagesOf.get(id) ?? []) === name }));
}

const nameOf = (pages: readonly string[]): string => pages.join('-and-');
