import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import { size } from '../../base/sizes.ts';

type Props = {
  /** Accessible name of the toolbar. */
  label: string;
  /** At the left of the toolbar: tabs to the neighbouring tables. */
  tabs: ReactNode;
  /** Content at the right of the toolbar: search, columns, and the button that adds a row. */
  tools: ReactNode;
  /** Filters below the toolbar. */
  filters?: ReactNode;
  /** The table, and elements that float over it. */
  children: ReactNode;
  /** Content below the table: its pages. */
  below?: ReactNode;
  /** The rows may be outdated: the server is unreachable, or they belong to the previous filter. */
  faded?: boolean;
};

/** Frame of a table that fills its page. */
export function TablePanel({ label, tabs, tools, filters, children, below, faded = false }: Props) {
  return (
    <Box
      component="section"
      aria-label={label}
      sx={{
        position: 'relative',
        display: 'flex',
        flexDirection: 'column',
        flex: 1,
        minWidth: 0,
        height: '100%',
        minHeight: 0,
        border: 1,
        borderColor: 'divider',
        borderRadius: 2,
        overflow: 'hidden',
        bgcolor: 'surface.panel',
      }}
    >
      <Box
        role="toolbar"
        aria-label={label}
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: 2,
          minHeight: size.toolbar,
          px: 2,
          py: { xs: 1, sm: 0.5 },
          ...(filters === undefined && { borderBottom: 1, borderColor: 'divider' }),
        }}
      >
        <Box sx={{ minWidth: 0, maxWidth: '100%' }}>{tabs}</Box>
        <Box sx={{ flex: 1 }} />
        {tools}
      </Box>
      {filters}
      <Box sx={{ flex: 1, minHeight: 0, opacity: faded ? 0.6 : 1 }}>{children}</Box>
      {below}
    </Box>
  );
}
