import { parseAst } from 'rolldown/parseAst';

/** Words that identifiers no longer use, each with its replacements; see docs/words.md. */
const OLD_WORDS: ReadonlyMap<string, string> = new Map([
  ['tell', 'notify or report'],
  ['tells', 'notifies or reports'],
  ['told', 'notified or reported'],
  ['telling', 'notifying or reporting'],
  ['teller', 'notifier'],
  ['untold', 'pending'],
  ['wanted', 'requested, or expected in a test'],
  ['unwanted', 'unrequested'],
  ['sought', 'target'],
  ['hear', 'receive, or a callback named by what comes'],
  ['hears', 'receives'],
  ['hearer', 'listener or handler'],
  ['looker', 'viewer'],
  ['lookers', 'viewers'],
  ['untidied', 'cleanup pending'],
  ['intake', 'watched folders, ingest or reader'],
]);

/** Names of the contract, of settings, and of tables keep their words, since they outlive a process. */
const RETAINED = new Set([
  'IntakeFile',
  'intakeFile',
  'intakeReport',
  'intake_files',
  'updateTold',
  'wanted',
  'wantedBytes',
]);

const WORDS = new RegExp([...OLD_WORDS.keys()].join('|'), 'i');

type Node = { type: string; start: number; name?: unknown };
export type OldWord = { line: number; name: string; advice: string };

/** Returns the identifiers of a source file that use an old word, each once. */
export function oldWordsIn(text: string, isJsx: boolean): OldWord[] {
  const found = new Map<string, OldWord>();
  if (!WORDS.test(text)) return [];

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const each of value) visit(each);
    if (typeof value !== 'object' || value === null || typeof (value as Node).type !== 'string') return;
    const { type, start, name } = value as Node;
    if (/^(?:JSX)?Identifier$/.test(type) && typeof name === 'string') look(name, start);
    for (const child of Object.values(value)) visit(child);
  }

  function look(name: string, start: number): void {
    if (RETAINED.has(name) || found.has(name)) return;
    const word = wordsOf(name).find((one) => OLD_WORDS.has(one));
    if (word === undefined) return;
    found.set(name, { line: text.slice(0, start).split('\n').length, name, advice: OLD_WORDS.get(word)! });
  }

  visit(parseAst(text, { lang: isJsx ? 'tsx' : 'ts' }));
  return [...found.values()];
}

/** Splits a name in camel or snake case into words in lower case. */
const wordsOf = (name: string): string[] =>
  name.split(/_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).map((word) => word.toLowerCase());
