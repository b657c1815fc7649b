import * as icons from '@mdi/js';
import type { Plugin } from 'vite';

const IMPORT = /import\s*\{([^}]*)\}\s*from\s*'@mdi\/js';/g;
const paths = new Map<string, unknown>(Object.entries(icons));

/**
 * Writes each icon's path into the file that uses it. Bundlers put the module of all icons whole into one chunk:
 * without this the first page carries the icons of every other page.
 */
export function inlineIcons(): Plugin {
  return {
    name: 'inline-icons',
    enforce: 'pre',
    transform: {
      filter: { id: /\/apps\/web\/src\/.*\.tsx?$/, code: "'@mdi/js'" },
      handler(code) {
        return { code: code.replace(IMPORT, (_all, names: string) => constants(names)), map: null };
      },
    },
  };
}

function constants(names: string): string {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      const path = paths.get(name);
      if (typeof path !== 'string') throw new Error(`@mdi/js has no icon ${name}`);
      return `const ${name} = ${JSON.stringify(path)};`;
    })
    .join(' ');
}
