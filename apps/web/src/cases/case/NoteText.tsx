import { Box } from '@mui/material';
import type { CasePart } from '@osprey/contract';
import { type ElementType, Fragment, type ReactNode, useMemo } from 'react';
import { fill, plainText } from '../../base/format.ts';
import { type MarkdownNode, readMarkdown } from '../../ui/markdown/markdown.ts';
import { texts } from './texts.ts';

type Props = {
  text: string;
  /** Parts of the case; a note can show only pictures of these. */
  parts: readonly CasePart[];
};

const words = texts.note;
const HEADING = /^h[1-6]$/;
/** Matches the address of a picture that is a part of the case. */
const PART = /^part:([0-9a-f-]{36})$/;

/**
 * Renders a note. Its headings are below those of the page, links are shown as text, and only pictures of parts are
 * shown.
 */
export function NoteText({ text, parts }: Props) {
  const nodes = useMemo(() => readMarkdown(text), [text]);
  return (
    <Box sx={noteSx} data-part="note">
      <Nodes nodes={nodes} parts={parts} />
    </Box>
  );
}

type NodesProps = { nodes: readonly MarkdownNode[]; parts: readonly CasePart[] };

// Nodes have no ids, so their index is used as the key.
const Nodes = ({ nodes, parts }: NodesProps) =>
  nodes.map((node, place) => <Fragment key={place}>{drawn(node, parts)}</Fragment>);

function drawn(node: MarkdownNode, parts: readonly CasePart[]): ReactNode {
  switch (node.kind) {
    case 'text':
      return plainText(node.text);
    case 'break':
      return <br />;
    case 'code':
      return node.block ? <pre>{plainText(node.text)}</pre> : <code>{plainText(node.text)}</code>;
    case 'picture':
      return <Picture source={node.source} text={node.text} parts={parts} />;
    case 'link':
      return <Link node={node} parts={parts} />;
    default:
      return <Element node={node} parts={parts} />;
  }
}

function Element({ node, parts }: { node: MarkdownNode & { kind: 'element' }; parts: readonly CasePart[] }) {
  if (node.tag === 'hr') return <hr />;
  // Headings of a note become h4: the page uses h1, the list of parts h2, and each part h3.
  const Tag = (HEADING.test(node.tag) ? 'h4' : node.tag) as ElementType;
  const children = <Nodes nodes={node.children} parts={parts} />;
  if (node.tag !== 'table') return <Tag {...(HEADING.test(node.tag) && { 'data-level': node.tag })}>{children}</Tag>;
  return (
    // A table may be wider than the note; the tabIndex makes it scrollable by keyboard as well.
    <Box role="region" aria-label={words.text} tabIndex={0} sx={{ overflowX: 'auto' }}>
      <table>{children}</table>
    </Box>
  );
}

/** Shows the address of a link as text; the link cannot be followed. */
function Link({ node, parts }: { node: MarkdownNode & { kind: 'link' }; parts: readonly CasePart[] }) {
  const shown = textOf(node.children);
  if (shown === node.address) return plainText(shown);
  return (
    <>
      <Nodes nodes={node.children} parts={parts} /> ({plainText(node.address)})
    </>
  );
}

function Picture({ source, text, parts }: { source: string; text: string; parts: readonly CasePart[] }) {
  const id = PART.exec(source)?.[1];
  const part = parts.find(({ _id }) => _id === id);
  if (!part?.thumbnailUrl || part.kind === 'note') return fill(words.missing, { text: plainText(text || source) });
  const title = plainText(text || fill(words.image, { title: part.title }));
  return <img src={part.thumbnailUrl} alt={title} loading="lazy" />;
}

const textOf = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => ('children' in node ? textOf(node.children) : 'text' in node ? node.text : ' ')).join('');

const noteSx = {
  overflowWrap: 'anywhere',
  '& > :first-of-type': { mt: 0 },
  '& > :last-child': { mb: 0 },
  '& p, & ul, & ol, & pre, & blockquote, & table': { my: 2 },
  '& ul, & ol': { pl: 5 },
  '& h4': { fontSize: 13, fontWeight: 600, mt: 3, mb: 1 },
  '& h4[data-level=h1]': { fontSize: 16 },
  '& h4[data-level=h2]': { fontSize: 14 },
  '& blockquote': { mx: 0, pl: 3, borderLeft: 2, borderColor: 'surface.lineStrong', color: 'text.secondary' },
  '& pre, & code': { fontSize: 12, bgcolor: 'surface.base', borderRadius: 1 },
  '& pre': { p: 2, overflowX: 'auto', whiteSpace: 'pre-wrap' },
  '& code': { px: 1 },
  '& img': { maxWidth: '100%', maxHeight: 240, borderRadius: 1, display: 'block', my: 1 },
  '& table': { borderCollapse: 'collapse' },
  '& th, & td': { border: 1, borderColor: 'divider', px: 2, py: 1, textAlign: 'left' },
  '& hr': { border: 0, borderTop: 1, borderColor: 'divider' },
} as const;
