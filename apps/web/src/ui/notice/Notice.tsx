import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Icon } from '../Icon.tsx';

type Props = {
  icon: string;
  title: string;
  text?: string | undefined;
  /** Marks a failure, which screen readers announce immediately. */
  failed?: boolean;
  children?: ReactNode;
};

/** Notice shown instead of content: nothing yet, nothing found, or a failure, with buttons to continue. */
export function Notice({ icon, title, text, failed = false, children }: Props) {
  return (
    <Box
      role={failed ? 'alert' : 'status'}
      sx={{ display: 'grid', justifyItems: 'center', alignContent: 'center', gap: 2, p: 6, textAlign: 'center' }}
    >
      <Icon path={icon} sx={{ fontSize: 24, color: failed ? 'error.main' : 'text.secondary' }} />
      <Typography variant="h3" component="p">
        {title}
      </Typography>
      {text && (
        <Typography
          variant="body2"
          sx={{ color: 'text.secondary', maxWidth: 420, overflowWrap: 'anywhere', textWrap: 'balance' }}
        >
          {text}
        </Typography>
      )}
      {children && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: 2, mt: 2 }}>{children}</Box>
      )}
    </Box>
  );
}
