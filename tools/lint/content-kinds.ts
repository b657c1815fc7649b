import { itemNames, job } from '@osprey/contract';
import { parseAst } from 'rolldown/parseAst';

type Node = { type: string; start: number; [key: string]: unknown };

/** Folders of the feature that defines each kind of content, below apps/server/src/features and apps/web/src. */
const homes: Readonly<Record<string, readonly string[]>> = {
  clip: ['clips'],
  bookmark: ['bookmarks'],
  snapshot: ['snapshots'],
  annotation: ['annotations'],
  // A snapshot is stored as a document.
  document: ['documents', 'snapshots'],
};
const kinds = Object.keys(homes);

/**
 * Other vocabularies of the contract that share words with the kinds of content. If all keys of a map are in one of
 * them, the map belongs to that vocabulary.
 */
const others: readonly (readonly string[])[] = [itemNames, job.shape.kind.options];

/** Returns the kinds of content that a product file may not name; none for other files. */
function foreignKinds(path: string): string[] {
  const isProduct =
    /^apps\/(?:server|web)\/src\//.test(path) && !/\.test\.tsx?$|\/testing\/|\/db\/migrations\//.test(path);
  if (!isProduct) return [];
  return kinds.filter(
    (kind) => !homes[kind]?.some((home) => new RegExp(`^apps/(?:server/src/features|web/src)/${home}/`).test(path)),
  );
}

/**
 * Returns a line `file:line: kind` for each literal of a product file that names a kind of content of another feature.
 */
export function namedKinds(path: string, source: string): string[] {
  const foreign = foreignKinds(path);
  if (!foreign.some((kind) => source.includes(kind))) return [];
  const found: string[] = [];
  const report = (node: Node, kind: string) =>
    found.push(`${path}:${source.slice(0, node.start).split('\n').length}: ${kind}`);
  const isForeign = (word: unknown): word is string => typeof word === 'string' && foreign.includes(word);

  function text(node: Node, word: unknown, parents: readonly Node[]): void {
    if (isForeign(word) && !isOtherWord(node, parents)) report(node, word);
  }

  /**
   * Checks the members of an object, a type, a class or an enum: a kind may be the name of a field, but not a key of a
   * map by kind.
   */
  function members(list: readonly Node[]): void {
    const named = list.flatMap((member) => {
      const name = nameOf(member);
      return name === null ? [] : [{ member, name }];
    });
    const own = named.filter(({ name }) => isForeign(name));
    const names = named.map(({ name }) => name);
    const isOther = others.some((words) => names.every((name) => words.includes(name)));
    if (isOther && names.some((name) => !kinds.includes(name))) return;
    for (const { member, name } of own) {
      if (own.length > 1 || isEntry(member)) report(member, name);
    }
  }

  function walk(node: Node, parents: readonly Node[]): void {
    if (node.type === 'ImportDeclaration') return;
    if (node.type === 'Literal') text(node, node.value, parents);
    if (node.type === 'TemplateElement') {
      const { raw } = node.value as { raw: string };
      text(node, raw, parents);
      for (const [, word] of raw.matchAll(/'([a-z]+)'/g)) text(node, word, []);
    }
    const list = MEMBERS[node.type];
    if (list !== undefined) members(node[list] as Node[]);
    const isMember = node.type in KEYED && node.computed !== true;
    const inner = [node, ...parents];
    for (const [field, value] of Object.entries(node)) {
      // The names of members have already been checked together.
      if (isMember && field === KEYED[node.type]) continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, inner);
    }
  }

  walk(parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node, []);
  return found;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const MEMBERS: Readonly<Record<string, string>> = {
  ObjectExpression: 'properties',
  TSTypeLiteral: 'members',
  TSInterfaceBody: 'body',
  ClassBody: 'body',
  TSEnumBody: 'members',
};
const KEYED: Readonly<Record<string, string>> = {
  Property: 'key',
  PropertyDefinition: 'key',
  TSPropertySignature: 'key',
  TSEnumMember: 'id',
};

function nameOf(member: Node): string | null {
  const field = KEYED[member.type];
  const key = field === undefined || member.computed === true ? null : (member[field] as Node);
  return key === null ? null : String(key.type === 'Literal' ? key.value : key.name);
}

/**
 * Whether a member may be an entry of a map by kind: it is neither a variable, nor a field of another object with the
 * same name.
 */
function isEntry(member: Node): boolean {
  if (member.type === 'TSEnumMember') return true;
  if (member.type !== 'Property' || member.shorthand === true) return false;
  const { type, property } = member.value as { type: string; property?: { name?: unknown } };
  return type !== 'MemberExpression' || property?.name !== nameOf(member);
}

/**
 * Whether a word is used with another meaning: as the name of an item with rights, a field of a type, a column of a
 * query, or a CSS value.
 */
function isOtherWord(node: Node, [parent, next]: readonly Node[]): boolean {
  switch (parent?.type) {
    case 'CallExpression': {
      const { object, property } = parent.callee as { object?: Node; property?: Node };
      // Examples: `items.visible('document', …)`, and `.as('snapshot')`.
      return (object?.type === 'Identifier' && object.name === 'items') || property?.name === 'as';
    }
    case 'TSLiteralType':
      return next?.type === 'TSIndexedAccessType';
    case 'Property':
      return parent.value === node && /^overflow[XY]?$/.test(nameOf(parent) ?? '');
    default:
      return false;
  }
}
