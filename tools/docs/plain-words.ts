/** A comment of a source file: the number of its first line, counted from 1, and its text without comment markers. */
export type Comment = { line: number; text: string };

const OPENING = /^\s*(?:\{\/\*|\/\*\*?|\/\/)\s?/;
const MARK = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/)\s?/;
const CLOSING = /\s*\*\/\}?\s*$/;

/** Comments that begin a line; consecutive `//` lines are one. Directives of tools (`biome-ignore`, `@ts-`) are left out. */
export function commentsOf(source: string): Comment[] {
  const lines = source.split('\n');
  const found: Comment[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (!OPENING.test(lines[at]!)) continue;
    const first = at;
    const isLine = /^\s*\/\//.test(lines[at]!);
    const goesOn = () => (isLine ? /^\s*\/\//.test(lines[at + 1] ?? '') : !CLOSING.test(lines[at]!));
    while (goesOn() && at + 1 < lines.length) at += 1;
    const body = lines
      .slice(first, at + 1)
      .map((text) => text.replace(OPENING, '').replace(MARK, '').replace(CLOSING, ''));
    const text = body.join(' ').replace(/\s+/g, ' ').trim();
    if (!/^(?:biome-|@ts-|@vite)/.test(text)) found.push({ line: first + 1, text });
  }
  return found;
}

type Rule = { pattern: RegExp; advice: string };

/**
 * Phrases that readers find hard to understand, each with a plain alternative. None of them has an ordinary use in a
 * comment.
 */
const RULES: readonly Rule[] = [
  { pattern: /^(?:What|Whatever|Who|Whom|Whose|Whoever|Of) /, advice: 'begin with the noun' },
  { pattern: /\. (?:What|Whatever|Who|Whom|Whoever) /, advice: 'begin the sentence with its noun' },
  { pattern: /\banew\b/i, advice: 'write "again", or name the action: restart, reload, recompute' },
  { pattern: /\bwhoever\b/i, advice: 'name the caller, the reader or the account' },
  { pattern: /\b(?:told|tells?) of\b/i, advice: 'write "reports", "shows", "is called for" or "is notified"' },
  { pattern: /\b(?:stands?|lies) (?:behind|beside|in front of)\b/i, advice: 'write "after", "next to" or "before"' },
  { pattern: /\bthat of which\b/i, advice: 'make two sentences' },
];

/**
 * At most ten phrases that must not appear in texts for users: on screens, in errors, in the manual and in the
 * description of the API.
 */
export const SHOWN_RULES: readonly Rule[] = [
  { pattern: /\banew\b/i, advice: 'write "again"' },
  { pattern: /\bwhoever\b/i, advice: 'name the person: the reader, the author, people who ...' },
  { pattern: /\b(?:told|tells?) of\b/i, advice: 'write "reports", "shows" or "is notified"' },
  {
    pattern: /\b(?:stands?|stood|lies|lay) (?:on|in|at|by|below|above|behind|beside|within|outside|next to|there)\b/i,
    advice: 'write "is"',
  },
  { pattern: /\bof which\b/i, advice: 'make two sentences' },
  { pattern: /\bbeside\b/i, advice: 'write "next to"' },
  { pattern: /\b(?:broke|broken) off\b/i, advice: 'write "was interrupted" or "was lost"' },
  { pattern: /\bthe own\b/i, advice: 'write "your own" or "their own"' },
  { pattern: /(?:^|[.:;] )(?:Who|Whom|Whose) [^?]*\.(?: |$)/, advice: 'begin with the noun' },
  { pattern: /\bshall\b/i, advice: 'write "must" or "will"' },
];

/** Returns the advice on the first forbidden phrase in a text; null if there is none. */
export function adviceOn(text: string, rules = RULES): string | null {
  return rules.find(({ pattern }) => pattern.test(text))?.advice ?? null;
}

const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;

/** Returns the string literals of a source file, without its comments. Parts joined by `+` count as one text. */
export function literalsOf(source: string): string[] {
  const code = source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '').replace(/(['`])\s*\+\s*['`]/g, '');
  return [...code.matchAll(LITERAL)].map(([, single, double, template]) => single ?? double ?? template ?? '');
}
