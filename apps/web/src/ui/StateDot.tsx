import { Box } from '@mui/material';
import { useColorScheme } from '@mui/material/styles';
import { type Scheme, stateColours } from '../base/colours.ts';

export const dotStates = ['live', 'online', 'partial', 'lost', 'offline', 'unknown', 'working', 'failed'] as const;
export type DotState = (typeof dotStates)[number];

const colourOf: Record<DotState, keyof typeof stateColours> = {
  live: 'live',
  online: 'online',
  partial: 'warning',
  lost: 'warning',
  offline: 'offline',
  unknown: 'offline',
  working: 'working',
  failed: 'live',
};

function Shape({ state }: { state: DotState }) {
  switch (state) {
    case 'live':
      return <circle cx="6" cy="6" r="5" fill="currentColor" />;
    case 'online':
      return <circle cx="6" cy="6" r="4" fill="currentColor" />;
    case 'partial':
      return (
        <>
          <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.6" />
          <path d="M6 2a4 4 0 0 1 0 8z" fill="currentColor" />
        </>
      );
    case 'lost':
      return <path d="M6 1.2 11 10.500H1z" fill="currentColor" />;
    case 'offline':
      return <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.6" />;
    case 'unknown':
      return (
        <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.6" strokeDasharray="2 1.600" />
      );
    case 'working':
      return (
        <path d="M6 2a4 4 0 1 1-4 4" fill="none" stroke="currentColor" strokeWidth="1.800" strokeLinecap="round" />
      );
    case 'failed':
      return <path d="m2 2 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="2" />;
  }
}

/**
 * Animates by CSS. An SVG animation would make the page render every frame, and would ignore the user's preference for
 * reduced motion.
 */
const turning = {
  animation: 'osprey-turn 1.2s linear infinite',
  '@keyframes osprey-turn': { to: { transform: 'rotate(360deg)' } },
};

/** Shape and colour of a state. Hidden from screen readers, since the state's name is always next to it. */
export function StateDot({ state }: { state: DotState }) {
  const scheme = useScheme();
  return (
    <Box
      component="svg"
      viewBox="0 0 12 12"
      aria-hidden="true"
      data-state={state}
      sx={{
        ...{ width: 12, height: 12, flex: 'none', color: stateColours[colourOf[state]][scheme] },
        ...(state === 'working' && turning),
      }}
    >
      <Shape state={state} />
    </Box>
  );
}

/** Returns the current colour scheme, with `system` resolved. */
export function useScheme(): Scheme {
  const { mode, systemMode } = useColorScheme();
  const chosen = mode === 'system' ? systemMode : mode;
  return chosen === 'light' ? 'light' : 'dark';
}
