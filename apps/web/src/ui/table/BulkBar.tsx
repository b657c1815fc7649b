import { mdiClose } from '@mdi/js';
import { Box, Divider } from '@mui/material';
import type { ReactNode } from 'react';
import { fill, formatNumber } from '../../base/format.ts';
import { Action } from '../Action.tsx';
import { texts } from '../texts.ts';

type Props = {
  count: number;
  onClear: () => void;
  /** Buttons. */
  children: ReactNode;
};

/** Bar with actions on all selected rows, which floats over the end of the table. */
export function BulkBar({ count, onClear, children }: Props) {
  return (
    <Box
      role="toolbar"
      data-part="bulk-bar"
      aria-label={fill(texts.bulk.selected, { count: formatNumber(count) })}
      sx={{
        position: 'absolute',
        bottom: 12,
        left: '50%',
        transform: 'translateX(-50%)',
        zIndex: 3,
        display: 'flex',
        alignItems: 'center',
        // On a phone the buttons have only text; if there is still too little room, the bar scrolls.
        gap: { xs: 1, sm: 3 },
        px: { xs: 2, sm: 4 },
        py: 1,
        maxWidth: 'calc(100% - 16px)',
        overflowX: 'auto',
        '& > *': { flex: 'none' },
        '& .MuiButton-startIcon': { display: { xs: 'none', sm: 'inherit' } },
        border: 1,
        borderColor: 'surface.lineStrong',
        borderRadius: 2.5,
        bgcolor: 'surface.raised',
        boxShadow: '0 1px 2px rgb(0 0 0 / 0.28), 0 12px 32px rgb(0 0 0 / 0.36)',
        whiteSpace: 'nowrap',
      }}
    >
      <Box component="span" aria-live="polite" sx={{ fontWeight: 600 }}>
        {fill(texts.bulk.selected, { count: formatNumber(count) })}
      </Box>
      <Divider orientation="vertical" flexItem sx={{ display: { xs: 'none', sm: 'block' } }} />
      {children}
      <Action label={texts.bulk.clear} icon={mdiClose} onClick={onClear} />
    </Box>
  );
}
