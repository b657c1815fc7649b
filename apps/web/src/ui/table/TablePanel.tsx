import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import { size } from '../../base/sizes.ts';

type Props = {
  /** Names the toolbar. */
  label: string;
  /** At the left of the toolbar: tabs to the neighbouring tables. */
  tabs: ReactNode;
  /** At its right: search, columns, and what adds a row. */
  tools: ReactNode;
  /** Below it: the filters. */
  filters?: ReactNode;
  /** The table, and what floats over it. */
  children: ReactNode;
  /** Below the table: its pages. */
  below?: ReactNode;
  /** The rows may be out of date: the server is away, or they are those of the filter before. */
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
