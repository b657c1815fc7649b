import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import { StateDot } from '../ui/StateDot.tsx';
import type { Mark } from './report.ts';

const dots = { good: 'online', warning: 'partial', error: 'failed' } as const;

type FigureProps = { title: string; value: string; unit?: string; note: string; mark: Mark };

/** Shows one figure with a mark that rates it. */
export function Figure({ title, value, unit = '', note, mark }: FigureProps) {
  return (
    <Box sx={{ p: 3, minWidth: 0, borderRight: 1, borderBottom: 1, borderColor: 'surface.line' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, fontSize: 12, color: 'text.secondary' }}>
        {title}
        <StateDot state={dots[mark]} />
      </Box>
      <Box sx={{ fontSize: 20, lineHeight: '28px', fontWeight: 600 }}>
        {value}{' '}
        <Box component="span" sx={{ fontSize: 13, fontWeight: 400, color: 'text.secondary' }}>
          {unit}
        </Box>
      </Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{note}</Box>
    </Box>
  );
}

type BlockProps = { title: string; aside?: ReactNode; children: ReactNode };

/** Panel with a title. */
export function Block({ title, aside, children }: BlockProps) {
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{
        border: 1,
        borderColor: 'surface.line',
        borderRadius: 2,
        bgcolor: 'surface.panel',
        minWidth: 0,
        overflow: 'hidden',
      }}
    >
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 2,
          minHeight: 40,
          px: 3,
          borderBottom: 1,
          borderColor: 'surface.line',
        }}
      >
        <Box component="h3" sx={{ m: 0, fontSize: 13, fontWeight: 600 }}>
          {title}
        </Box>
        {aside}
      </Box>
      {children}
    </Box>
  );
}

/** Line with a finding or a fact, preceded by the shape of its mark. */
export function MarkedLine({ mark, children }: { mark: Mark; children: ReactNode }) {
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'baseline',
        gap: 2,
        px: 3,
        py: 1.5,
        borderTop: 1,
        borderColor: 'surface.line',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <Box sx={{ position: 'relative', top: 1, flex: 'none' }}>
        <StateDot state={dots[mark]} />
      </Box>
      {children}
    </Box>
  );
}
