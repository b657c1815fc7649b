import { mayImport, roomOf } from './rules.ts';

/** The rooms that own each table. */
export type Owners = ReadonlyMap<string, readonly string[]>;

/** Returns the names of the tables that a file adds to `Database`. */
export function declaredTables(source: string): string[] {
  const block = /^( *)(?:export )?interface Database \{\n([\s\S]*?)\n\1\}$/m.exec(source);
  if (block === null) return [];
  const entry = new RegExp(`^ {${(block[1] ?? '').length + 2}}([a-z_]+): `, 'gm');
  return [...(block[2] ?? '').matchAll(entry)].map(([, name]) => name ?? '');
}

/**
 * Determines the rooms that own each table, from the files that declare them. A lower room and one feature may both own
 * a table: the feature then changes the rows that the lower room uses.
 */
export function ownersOf(files: ReadonlyMap<string, string>): { owners: Owners; problems: string[] } {
  const owners = new Map<string, string[]>();
  const problems: string[] = [];
  for (const [file, source] of files) {
    const room = roomOf(file);
    if (room === null) continue;
    for (const table of declaredTables(source)) {
      const others = owners.get(table) ?? [];
      if (isFeature(room) && others.some(isFeature)) problems.push(`${file}: table ${table} has another feature too`);
      owners.set(table, [...others, room]);
    }
  }
  return { owners, problems };
}

const isFeature = (room: string): boolean => room.startsWith('server/features/');

/**
 * Whether queries in a room may name a table with these owners. For rooms other than features, this follows the import
 * rules. A feature may name its own tables and those of the foundations, except item tables: it reads these through
 * `visible()`, or through a function passed to it.
 */
export function mayName(room: string, owners: readonly string[]): boolean {
  if (!isFeature(room)) return owners.some((owner) => mayImport(room, owner));
  return owners.some((owner) => owner === room || (owner.startsWith('server/base/') && owner !== 'server/base/items'));
}

export type Named = { table: string; line: number };

const QUERY =
  /\.(?:selectFrom|updateTable|deleteFrom|insertInto|replaceInto|mergeInto|using|from|(?:inner|left|right|full|cross)Join(?:Lateral)?)\(\s*(\[[^\]]*\]|'[^']*'|"[^"]*")/g;
const RAW = /\bsql(?:<[^`]*?>)?`((?:[^`\\]|\\.)*)`/g;
const RAW_NAME = /\b(?:from|join|into|update|using|table)\s+(?:only\s+)?([a-z_]+)\b/gi;

/** Returns the tables named in a file's queries, both in Kysely calls and in raw SQL. */
export function namedTables(source: string, known: ReadonlySet<string>): Named[] {
  const lineAt = (index: number) => source.slice(0, index).split('\n').length;
  const built = [...source.matchAll(QUERY)].flatMap(({ 1: names = '', index }) =>
    [...names.matchAll(/['"]([a-z_]+)\b/g)].map(([, table = '']) => ({ table, line: lineAt(index) })),
  );
  const raw = [...source.matchAll(RAW)].flatMap(({ 0: whole, 1: text = '', index }) => {
    // The captured text ends one character before the match, which includes the closing back quote.
    const begin = index + whole.length - 1 - text.length;
    return [...text.matchAll(RAW_NAME)].map((found) => ({
      table: found[1] ?? '',
      line: lineAt(begin + (found.index ?? 0)),
    }));
  });
  return [...built, ...raw].filter(({ table }) => known.has(table));
}

/** Returns one line for each query of a file that names a table which its room may not use. */
export function foreignTables(file: string, source: string, owners: Owners): string[] {
  const room = roomOf(file);
  if (room === null) return [];
  return namedTables(source, new Set(owners.keys())).flatMap(({ table, line }) => {
    const of = owners.get(table) ?? [];
    return mayName(room, of) ? [] : [`${file}:${line}: ${room} may not query ${table}, a table of ${of.join(' and ')}`];
  });
}
