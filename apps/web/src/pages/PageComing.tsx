import { Box } from '@mui/material';
import { useNavigation } from 'react-router';
import { texts } from './texts.ts';

/** Placeholder in the frame while the code of its first page loads: the panel that most pages have, still empty. */
export function PageComing() {
  return (
    <Box role="status" aria-label={texts.coming} sx={{ height: '100%', p: { xs: 0, sm: 2 } }}>
      <Box sx={{ height: '100%', border: 1, borderColor: 'divider', borderRadius: 2, bgcolor: 'surface.panel' }} />
    </Box>
  );
}

/** Over the page that is being left while the code of the next one comes: what was chosen has been understood. */
export function NextPageComing() {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <Box role="status" aria-label={texts.coming} sx={{ position: 'sticky', top: 0, height: 0, zIndex: 3 }}>
      <Box
        sx={{
          height: 2,
          bgcolor: 'primary.main',
          // A page that comes at once shows nothing of it.
          animation: 'osprey-coming 150ms 150ms both',
          '@keyframes osprey-coming': { from: { opacity: 0 }, to: { opacity: 1 } },
        }}
      />
    </Box>
  );
}
