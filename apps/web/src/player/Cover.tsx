import { Box } from '@mui/material';
import type { ReactNode } from 'react';

/** Content over a picture, between its head and foot. A picture that remains visible below it is darkened. */
export function Cover({ overPicture, children }: { overPicture: boolean; children: ReactNode }) {
  return (
    <Box
      data-part="cover"
      // Always dark, since the picture below is dark in the light scheme too.
      data-scheme="dark"
      sx={{
        position: 'absolute',
        inset: '36px 0',
        display: 'grid',
        placeItems: 'center',
        alignContent: 'center',
        pointerEvents: 'none',
        '& button, & a': { pointerEvents: 'auto' },
        '& p': { color: '#F2F5F9', textShadow: '0 1px 3px #000' },
        bgcolor: overPicture ? 'rgb(0 0 0 / 0.55)' : 'transparent',
      }}
    >
      {children}
    </Box>
  );
}
