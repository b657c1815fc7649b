import { Box, Link as MuiLink } from '@mui/material';
import { headingAnchor } from '@osprey/contract';
import { type ElementType, Fragment, type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import { type MarkdownNode, readMarkdown } from '../ui/markdown/markdown.ts';
import { addressOf } from './manual.ts';
import { texts } from './texts.ts';

const HEADING = /^h[1-3]$/;
/** Matches addresses that are not pages of this client. */
const ELSEWHERE = /^(?:https?:|\/help\/check|\/api\/)/;

/**
 * Renders a chapter of the manual. Headings have anchors, links to other chapters are opened within the client, and
 * wide tables scroll.
 */
export function ChapterText({ text }: { text: string }) {
  const nodes = useMemo(() => readMarkdown(text), [text]);
  return (
    <Box sx={chapterSx}>
      <Nodes nodes={nodes} />
    </Box>
  );
}

// Nodes have no ids, so their index is used as the key.
const Nodes = ({ nodes }: { nodes: readonly MarkdownNode[] }) =>
  nodes.map((node, place) => <Fragment key={place}>{drawn(node)}</Fragment>);

function drawn(node: MarkdownNode): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'break':
      return ' ';
    case 'code':
      return node.block ? (
        <Box component="pre" tabIndex={0}>
          {node.text}
        </Box>
      ) : (
        <code>{node.text}</code>
      );
    case 'picture':
      return <img src={addressOf(node.source)} alt={node.text} loading="lazy" />;
    case 'link':
      return <TextLink address={addressOf(node.address)}>{<Nodes nodes={node.children} />}</TextLink>;
    default:
      return <Element node={node} />;
  }
}

function TextLink({ address, children }: { address: string; children: ReactNode }) {
  if (ELSEWHERE.test(address)) return <MuiLink href={address}>{children}</MuiLink>;
  return (
    <MuiLink component={Link} to={address}>
      {children}
    </MuiLink>
  );
}

function Element({ node }: { node: MarkdownNode & { kind: 'element' } }) {
  if (node.tag === 'hr') return <hr />;
  const Tag = node.tag as ElementType;
  const children = <Nodes nodes={node.children} />;
  if (HEADING.test(node.tag)) {
    // tabIndex makes the heading focusable, so that a link to its anchor moves the focus there.
    return (
      <Tag id={headingAnchor(textOf(node.children))} tabIndex={-1}>
        {children}
      </Tag>
    );
  }
  if (node.tag !== 'table') return <Tag>{children}</Tag>;
  return (
    // A table may be wider than a phone; tabIndex makes it scrollable by keyboard as well.
    <Box role="region" aria-label={texts.table} tabIndex={0} sx={{ overflowX: 'auto', my: 3 }}>
      <table>{children}</table>
    </Box>
  );
}

const textOf = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => ('children' in node ? textOf(node.children) : 'text' in node ? node.text : '')).join('');

const chapterSx = {
  fontSize: 14,
  lineHeight: 1.6,
  overflowWrap: 'anywhere',
  '& h1': { fontSize: 22, lineHeight: 1.3, fontWeight: 600, mt: 0, mb: 4 },
  '& h2': { fontSize: 17, lineHeight: 1.4, fontWeight: 600, mt: 8, mb: 2 },
  '& h3': { fontSize: 14, fontWeight: 600, mt: 6, mb: 1 },
  '& :is(h1, h2, h3)': { scrollMarginTop: 16, '&:focus:not(:focus-visible)': { outline: 0 } },
  '& p, & li': { maxWidth: '46rem' },
  '& p, & ul, & ol': { my: 3 },
  '& ul, & ol': { pl: 6 },
  '& li': { my: 1 },
  '& img': { maxWidth: '100%', height: 'auto', border: 1, borderColor: 'divider', borderRadius: 1, display: 'block' },
  '& table': { borderCollapse: 'collapse', fontSize: 13 },
  '& th, & td': {
    textAlign: 'left',
    verticalAlign: 'top',
    py: 1.5,
    pr: 4,
    borderBottom: 1,
    borderColor: 'divider',
    overflowWrap: 'normal',
  },
  '& code, & pre': { fontSize: 12, bgcolor: 'surface.base', borderRadius: 1 },
  '& code': { px: 1, py: 0.5 },
  '& pre': { p: 3, overflowX: 'auto', border: 1, borderColor: 'divider' },
} as const;
