import { parseAst } from 'rolldown/parseAst';

/**
 * One entry of a table of names. `all` also renames members of objects and types; without it, only variables,
 * functions, types and parameters get the new name, and `{ old }` in an object becomes `{ old: new }`. `in` and `notIn`
 * match paths; if two entries apply to the same name and file, the later one is used. `of` renames only members of
 * variables whose names match.
 */
export type Rename = { from: string; to: string; all?: true; in?: RegExp; notIn?: RegExp; of?: RegExp };

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Edit = { end: number; text: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Node types that name a member of an object or type, with the field that contains the name. */
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

/** Returns the text of a source file with the names of the table applied; unchanged if it contains none of them. */
export function renamed(path: string, text: string, table: readonly Rename[]): string {
  const names = new Map(
    table.filter((line) => (line.in?.test(path) ?? true) && !line.notIn?.test(path)).map((line) => [line.from, line]),
  );
  if (![...names.keys()].some((name) => text.includes(name))) return text;
  // Edits by position, since the AST has two nodes at the same place for an imported name.
  const edits = new Map<number, Edit>();
  // Names of variables, types and parameters, regardless of scope. Clashes between members need no check, since they
  // are type errors.
  const used = new Set<string>();
  const given = new Set<string>();

  function identifier(node: Node, isMember: boolean, owner?: unknown): void {
    if (!isMember) used.add(String(node.name));
    const line = names.get(String(node.name));
    if (line?.of !== undefined && !(isNode(owner) && line.of.test(String(owner.name)))) return;
    if (line !== undefined && (line.all === true || !isMember)) {
      // The node of a typed parameter ends after its type, so compute the end from the name's length.
      const end = node.start + line.from.length;
      if (text.slice(node.start, end) !== line.from) return;
      edits.set(node.start, { end, text: line.to });
      if (!isMember) given.add(line.to);
    }
  }

  /** Renames members named by a literal type, as in `Deps['told']` and `Pick<Deps, 'told' | 'kept'>`. */
  function memberType(value: unknown): void {
    if (Array.isArray(value)) for (const each of value) memberType(each);
    if (!isNode(value)) return;
    if (value.type === 'TSUnionType') memberType(value.types);
    const literal = value.type === 'TSLiteralType' ? (value.literal as Node) : null;
    const line = names.get(String(literal?.value));
    if (literal !== null && line?.all === true && line.of === undefined)
      edits.set(literal.start + 1, { end: literal.end - 1, text: line.to });
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
      given.add(line.to);
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
    if (value.type === 'TSIndexedAccessType') memberType(value.indexType);
    if (value.type === 'TSTypeReference' && /^(?:Pick|Omit)$/.test(String((value.typeName as Node).name))) {
      memberType((value.typeArguments as Node | null)?.params);
    }
    const member = value.computed === true ? undefined : MEMBER[value.type];
    for (const [field, child] of Object.entries(value)) {
      const isName = isNode(child) && (child.type === 'Identifier' || child.type === 'JSXIdentifier');
      if (field === member && isName) identifier(child, true, value.object);
      else visit(child);
    }
  }

  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  const clash = [...given].find((name) => used.has(name));
  if (clash !== undefined) throw new Error(`${path}: the name ${clash} is in use there`);
  let out = text;
  const backward = [...edits].sort(([one], [other]) => other - one);
  for (const [start, edit] of backward) out = out.slice(0, start) + edit.text + out.slice(edit.end);
  // Also rename names in comments. Tagged templates are not touched: they are texts in another language, such as SQL.
  for (const { from, to } of names.values()) out = out.replace(new RegExp(`(?<!\\w)\`${from}\``, 'g'), `\`${to}\``);
  return out;
}

const RESULT =
  'whether|why|how|where|what|when|which|the|it|its|false|true|null|undefined|both|an?|all|those|each|no|only';
const ANSWERS = new RegExp(`((?:/\\*\\*?|//|\\*|[.;:,>)]|or|and|\`) )([Aa])nswers(?= (?:${RESULT})\\b)`, 'g');

/** Returns the text with comments that say "Returns" where they said that a function answers its result. */
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
