import { Box } from '@mui/material';
import { later } from './later.tsx';

// The addresses of 260 flags weigh more than most pages.
const FlagPicture = later(async () => (await import('./FlagPicture.tsx')).FlagPicture, { optional: true });

/** A country's flag, without a name of its own for screen readers: the name is next to it or is the cell's tooltip. */
export function Flag({ code }: { code: string }) {
  // The same room from the start, so that nothing moves when the picture comes.
  return (
    <Box component="span" sx={{ display: 'flex', width: 20, height: 13, flex: 'none' }}>
      <FlagPicture code={code} />
    </Box>
  );
}
