import { Box } from '@mui/material';
import type { FineBase } from './fine-base.ts';
import type { OverlayState } from './overlay-host.ts';
import { texts } from './texts.ts';

/** Shows the sources of the visible overlays and of the finer coast, as the licences of many charts require. */
export function Credits({ switches, fine }: Pick<OverlayState, 'switches'> & { fine: FineBase | null }) {
  const ofLand = fine && switches.some(({ id, shown }) => id === 'base' && shown) ? [fine.attribution] : [];
  const ofOverlays = switches.flatMap(({ shown, credit }) => (shown && credit ? credit : []));
  const credits = [...new Set([...ofOverlays, ...ofLand])];
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
