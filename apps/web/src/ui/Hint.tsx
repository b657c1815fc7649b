import { mdiInformationOutline } from '@mdi/js';
import { Box } from '@mui/material';
import { Icon } from './Icon.tsx';

/** Unobtrusive box with an explanation. */
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
