import { mdiInformationOutline } from '@mdi/js';
import { Box } from '@mui/material';
import { Icon } from './Icon.tsx';

/** A quiet box that says why something is as it is. */
export function Hint({ children }: { children: string }) {
  return (
    <Box
      role="note"
      sx={{
        display: 'flex',
        gap: 2,
        p: 3,
        borderRadius: 1.5,
        bgcolor: 'surface.base',
        color: 'text.secondary',
        fontSize: 12,
      }}
    >
      <Icon path={mdiInformationOutline} sx={{ fontSize: 16, flex: 'none' }} />
      {children}
    </Box>
  );
}
