import { parseAst } from 'rolldown/parseAst';

/**
 * One line of the table of names. `all` renames members of objects and types too; without it only variables,
 * functions, types and parameters get the new name, and `{ old }` in an object becomes `{ old: new }`.
 */
export type Rename = { from: string; to: string; all?: true; in?: RegExp; notIn?: RegExp };

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Edit = { end: number; text: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Members of objects and types, by the node that names one and its field for the name. */
const MEMBER: Readonly<Record<string, string>> = {
  MemberExpression: 'property',
  Property: 'key',
  PropertyDefinition: 'key',
  MethodDefinition: 'key',
  AccessorProperty: 'key',
  TSPropertySignature: 'key',
  TSMethodSignature: 'key',
  TSEnumMember: 'id',
  JSXAttribute: 'name',
  JSXMemberExpression: 'property',
};

/** The text of a source file with the names of the table; the same text where none is in it. */
export function renamed(path: string, text: string, table: readonly Rename[]): string {
  const names = new Map(
    table.filter((line) => (line.in?.test(path) ?? true) && !line.notIn?.test(path)).map((line) => [line.from, line]),
  );
  if (![...names.keys()].some((name) => text.includes(name))) return text;
  // By where each begins: an import names what it imports twice in one place.
  const edits = new Map<number, Edit>();
  const used = new Set<string>();

  function identifier(node: Node, isMember: boolean): void {
    used.add(String(node.name));
    const line = names.get(String(node.name));
    if (line !== undefined && (line.all === true || !isMember)) {
      // A typed parameter ends after its type.
      const end = node.start + line.from.length;
      if (text.slice(node.start, end) === line.from) edits.set(node.start, { end, text: line.to });
    }
  }

  function shorthand(node: Node): void {
    const key = node.key as Node;
    const line = names.get(String(key.name));
    used.add(String(key.name));
    if (line === undefined || line.all === true) visit(node.value);
    else {
      const value = node.value as Node;
      const rest = value.type === 'AssignmentPattern' ? text.slice((value.left as Node).end, value.end) : '';
      edits.set(node.start, { end: node.end, text: `${line.from}: ${line.to}${rest}` });
    }
  }

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const each of value) visit(each);
    if (!isNode(value)) return;
    if (value.type === 'Identifier' || value.type === 'JSXIdentifier') identifier(value, false);
    if (value.type === 'Property' && value.shorthand === true) {
      shorthand(value);
      return;
    }
    const member = value.computed === true ? undefined : MEMBER[value.type];
    for (const [field, child] of Object.entries(value)) {
      const isName = isNode(child) && (child.type === 'Identifier' || child.type === 'JSXIdentifier');
      if (field === member && isName) identifier(child, true);
      else visit(child);
    }
  }

  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  const clash = [...edits.values()].find((edit) => used.has(edit.text));
  if (clash !== undefined) throw new Error(`${path}: the name ${clash.text} is in use there`);
  let out = text;
  const backward = [...edits].sort(([one], [other]) => other - one);
  for (const [start, edit] of backward) out = out.slice(0, start) + edit.text + out.slice(edit.end);
  for (const { from, to } of names.values()) out = out.replaceAll(`\`${from}\``, `\`${to}\``);
  return out;
}

const RESULT =
  'whether|why|how|where|what|when|which|the|it|its|false|true|null|undefined|both|an?|all|those|each|no|only';
const ANSWERS = new RegExp(`((?:/\\*\\*?|//|\\*|[.;:,>)]|or|and|\`) )([Aa])nswers(?= (?:${RESULT})\\b)`, 'g');

/** The text with comments that say "Returns" where a function's result was said to be answered. */
export function returning(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      /^\s*(?:\/\/|\/?\*)/.test(line)
        ? line.replace(ANSWERS, (_, before: string, a: string) => `${before}${a === 'A' ? 'R' : 'r'}eturns`)
        : line,
    )
    .join('\n');
}
