import type { Plugin } from 'vite';

const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/.source;
const SUMMARY = new RegExp(`\\bsummary:\\s*(?:${TEXT})(?:\\s*\\+\\s*(?:${TEXT}))*,`, 'g');

/**
 * Leaves the summaries of calls out of the client: the description of the API alone has them, and those of the first page
 * are more than a kilobyte of it.
 */
export function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    enforce: 'pre',
    transform: {
      filter: { id: /\/packages\/contract\/src\/.*\.ts$/, code: 'summary:' },
      handler: (code) => ({ code: code.replace(SUMMARY, ''), map: null }),
    },
  };
}
