import { Box, Typography } from '@mui/material';
import type { Credential } from '@osprey/contract';
import type { ReactNode } from 'react';
import { fill, formatTime } from '../base/format.ts';
import { texts } from './texts.ts';

type Props = { credential: Credential; name: string; children: ReactNode };

/** Line in a list of credentials: its name, where and when it was used, and the actions on it. */
export function CredentialLine({ credential: { address, lastUsed, expires, ceiling }, name, children }: Props) {
  const facts = fill(texts.sessions.facts, { address, used: formatTime(lastUsed), expires: formatTime(expires) });
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 2,
        alignItems: 'center',
        py: 3,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: '1 1 280px', minWidth: 0 }}>
        <Box sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{name}</Box>
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {ceiling === undefined ? facts : fill(texts.sessions.limited, { facts, label: ceiling })}
        </Typography>
      </Box>
      {children}
    </Box>
  );
}
