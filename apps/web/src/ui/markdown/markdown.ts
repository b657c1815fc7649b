import MarkdownIt, { type Token } from 'markdown-it';

/** A node of a Markdown text, to be rendered by React. It never contains HTML, and parsing it requests no address. */
export type MarkdownNode =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'code'; text: string; block: boolean }
  | { kind: 'picture'; source: string; text: string }
  | { kind: 'link'; address: string; children: MarkdownNode[] }
  | { kind: 'element'; tag: string; children: MarkdownNode[] };

const elementTags = [
  ...['p', 'strong', 'em', 's', 'blockquote', 'ul', 'ol', 'li', 'hr'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
] as const;

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
const known: ReadonlySet<string> = new Set(elementTags);

/** Parses Markdown with HTML disabled. Unknown elements remain as text. */
export const readMarkdown = (text: string): MarkdownNode[] => nodesOf(markdown.parse(text, {}));

function nodesOf(tokens: readonly Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: MarkdownNode[][] = [root];
  const put = (node: MarkdownNode) => void open.at(-1)!.push(node);
  for (const token of tokens) {
    if (token.nesting === -1) {
      if (open.length > 1) open.pop();
    } else if (token.nesting === 1) {
      const children: MarkdownNode[] = [];
      // The paragraphs of a tight list are not rendered.
      if (token.hidden) {
        open.push(open.at(-1)!);
        continue;
      }
      if (token.type === 'link_open') put({ kind: 'link', address: String(token.attrGet('href') ?? ''), children });
      else put({ kind: 'element', tag: known.has(token.tag) ? token.tag : 'p', children });
      open.push(children);
    } else if (token.type === 'inline') open.at(-1)!.push(...nodesOf(token.children ?? []));
    else put(leafOf(token));
  }
  return root;
}

function leafOf(token: Token): MarkdownNode {
  switch (token.type) {
    case 'hardbreak':
    case 'softbreak':
      return { kind: 'break' };
    case 'code_inline':
      return { kind: 'code', text: token.content, block: false };
    case 'code_block':
    case 'fence':
      return { kind: 'code', text: token.content, block: true };
    case 'image':
      return { kind: 'picture', source: String(token.attrGet('src') ?? ''), text: token.content };
    case 'hr':
      return { kind: 'element', tag: 'hr', children: [] };
    default:
      return { kind: 'text', text: token.content };
  }
}
