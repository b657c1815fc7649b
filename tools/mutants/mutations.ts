import { parseAst } from 'rolldown/parseAst';

/** One change of a source text: the text in [start, end) is replaced with `text`. */
export type Mutation = { start: number; end: number; text: string };

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

const BINARY: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '&&': '||',
  '||': '&&',
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');

/**
 * Returns every small change to the runtime code of a TypeScript source that a test should detect; types are left
 * unchanged.
 */
export function mutationsOf(source: string): Mutation[] {
  const found: Mutation[] = [];
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node, null);
  return found.sort((a, b) => a.start - b.start || a.end - b.end || (a.text < b.text ? -1 : 1));

  function visit(node: Node, parent: Node | null) {
    if (node.type.startsWith('TS') && !isNode(node.expression)) return;
    found.push(...changesOf(node, parent, source));
    for (const [key, value] of Object.entries(node)) {
      if (key === 'typeAnnotation' || key === 'typeArguments' || key === 'typeParameters' || key === 'returnType')
        continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node);
    }
  }
}

function changesOf(node: Node, parent: Node | null, source: string): Mutation[] {
  const { start, end } = node;
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const other = BINARY[node.operator as string];
      const [left, right] = [node.left as Node, node.right as Node];
      if (other === undefined || isText(left) || isText(right)) return [];
      const between = source.slice(left.end, right.start);
      const at = left.end + between.indexOf(node.operator as string);
      return [{ start: at, end: at + (node.operator as string).length, text: other }];
    }
    case 'UnaryExpression':
      return node.operator === '!' ? [{ start, end: start + 1, text: '' }] : [];
    case 'IfStatement': {
      const { start: from, end: to } = node.test as Node;
      return ['true', 'false'].map((text) => ({ start: from, end: to, text }));
    }
    case 'ConditionalExpression': {
      const { start: from, end: to } = node.test as Node;
      return [{ start: from, end: to, text: `!(${source.slice(from, to)})` }];
    }
    case 'Literal':
      if (typeof node.value === 'boolean') return [{ start, end, text: String(!node.value) }];
      // Numbers in tables are data and are left unchanged; numbers in calculations or calls are code.
      return typeof node.value === 'number' && /Binary|Call|Assignment/.test(parent?.type ?? '')
        ? [{ start, end, text: `(${source.slice(start, end)} + 1)` }]
        : [];
    case 'ExpressionStatement':
      return isNode(node.expression) && /Call|Assignment|Update|Await/.test(node.expression.type)
        ? [{ start, end, text: ';' }]
        : [];
    default:
      return [];
  }
}
