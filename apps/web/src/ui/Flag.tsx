import { Box } from '@mui/material';
import { later } from './later.tsx';

// Loaded separately, since the addresses of 260 flags are larger than most pages.
const FlagPicture = later(async () => (await import('./FlagPicture.tsx')).FlagPicture, { optional: true });

/** Flag of a country. It has no accessible name, since the country's name is next to it or in the cell's tooltip. */
export function Flag({ code }: { code: string }) {
  // The space is reserved, so that nothing moves when the picture is loaded.
  return (
    <Box component="span" sx={{ display: 'flex', width: 20, height: 13, flex: 'none' }}>
      <FlagPicture code={code} />
    </Box>
  );
}
