import { Box } from '@mui/material';
import { useNavigation } from 'react-router';
import { texts } from './texts.ts';

/** Placeholder in the frame while the code of the first page loads: an empty panel, as most pages have. */
export function PageComing() {
  return (
    <Box role="status" aria-label={texts.coming} sx={{ height: '100%', p: { xs: 0, sm: 2 } }}>
      <Box sx={{ height: '100%', border: 1, borderColor: 'divider', borderRadius: 2, bgcolor: 'surface.panel' }} />
    </Box>
  );
}

/**
 * Progress line over the current page while the code of the next one loads, so that the user sees that the click was
 * registered.
 */
export function NextPageComing() {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <Box role="status" aria-label={texts.coming} sx={{ position: 'sticky', top: 0, height: 0, zIndex: 3 }}>
      <Box
        sx={{
          height: 2,
          bgcolor: 'primary.main',
          // The delay hides the line for a page that loads quickly.
          animation: 'osprey-coming 150ms 150ms both',
          '@keyframes osprey-coming': { from: { opacity: 0 }, to: { opacity: 1 } },
        }}
      />
    </Box>
  );
}
