import { Box } from '@mui/material';
import type { MapLayer } from '@osprey/contract';
import { texts } from '../texts.ts';

/** Whom the shown tile sets are owed to: many charts may be used only with this line. */
export function SiteCredits({ layers }: { layers: readonly MapLayer[] }) {
  const credits = [...new Set(layers.map(({ attribution }) => attribution).filter((text) => text !== ''))];
  if (credits.length === 0) return null;
  return (
    <Box
      role="note"
      aria-label={texts.credits}
      sx={{
        position: 'absolute',
        left: 8,
        bottom: 2,
        maxWidth: 'calc(100% - 16px)',
        px: 1,
        borderRadius: 1,
        bgcolor: 'surface.panel',
        color: 'text.secondary',
        fontSize: 11,
        lineHeight: '16px',
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        whiteSpace: 'nowrap',
      }}
      title={credits.join(', ')}
    >
      {credits.join(', ')}
    </Box>
  );
}
