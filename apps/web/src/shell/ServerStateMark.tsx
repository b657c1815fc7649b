import { Box } from '@mui/material';
import { fill } from '../base/format.ts';
import { texts } from '../base/texts.ts';
import type { ServerState } from '../events/connection.ts';
import { type DotState, StateDot } from '../ui/StateDot.tsx';

const dots: Record<ServerState, DotState> = {
  Connecting: 'working',
  Online: 'online',
  Offline: 'offline',
  Reconnecting: 'working',
};

/**
 * Shows whether the page is connected to the server. On a phone the text is hidden, but the accessible name remains.
 */
export function ServerStateMark({ state }: { state: ServerState }) {
  return (
    <Box
      role="status"
      aria-label={fill(texts.state.label, { state: texts.state[state] })}
      sx={{ display: 'flex', alignItems: 'center', gap: 2, whiteSpace: 'nowrap' }}
    >
      <StateDot state={dots[state]} />
      <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' }, fontWeight: 500 }}>
        {texts.state[state]}
      </Box>
    </Box>
  );
}
