import { Box, Tooltip, useMediaQuery } from '@mui/material';
import { missionViewersEvent, stateEvent } from '@osprey/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { fill } from '../../base/format.ts';
import { useEvents, useServerEvent } from '../../events/events.ts';
import { initialsOf } from './initials.ts';
import { viewerTexts as texts } from './viewer-texts.ts';

/** Maximum number of viewers that are shown; the others are shown as a number. A phone has room for few. */
const SHOWN = { phone: 1, wide: 3 } as const;

const none: readonly string[] = [];

/** Shows the initials of the other users who have this mission open. */
export function Viewers({ missionId }: { missionId: string }) {
  const { say } = useEvents();
  const [viewers, setViewers] = useState(none);
  const phone = useMediaQuery('(max-width: 599.95px)');
  const viewing = useEffectEvent((mission: string | null) => say('MissionLook', { mission }));

  useEffect(() => {
    viewing(missionId);
    return () => {
      setViewers(none);
      viewing(null);
    };
  }, [missionId]);
  // The server does not know what a new connection shows, so it is sent again.
  useServerEvent(stateEvent, ({ state }) => {
    setViewers(none);
    if (state === 'Online') viewing(missionId);
  });
  useServerEvent(missionViewersEvent, (event) => {
    if (event.mission === missionId) setViewers(event.viewers);
  });

  if (viewers.length === 0) return null;
  const maximum = phone ? SHOWN.phone : SHOWN.wide;
  const others = viewers.length - maximum;
  return (
    <Tooltip title={fill(texts.also, { names: viewers.join(', ') })} describeChild>
      <Box
        component="ul"
        tabIndex={0}
        aria-label={texts.list}
        sx={{ ...{ display: 'flex', m: 0, mr: 1, p: 0, listStyle: 'none', flex: 'none', borderRadius: 4 } }}
      >
        {viewers.slice(0, others > 1 ? maximum : maximum + 1).map((name) => (
          <Disc key={name} name={name}>
            {initialsOf(name)}
          </Disc>
        ))}
        {others > 1 && <Disc name={fill(texts.more, { count: others })}>+{others}</Disc>}
      </Box>
    </Tooltip>
  );
}

function Disc({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <Box
      component="li"
      sx={{
        ...{ display: 'grid', placeContent: 'center', width: 24, height: 24, ml: '-4px', borderRadius: '50%' },
        ...{ fontSize: 11, fontWeight: 600, lineHeight: 1, border: 1, borderColor: 'surface.lineStrong' },
        ...{ bgcolor: 'surface.selected', color: 'text.primary' },
      }}
    >
      <Box component="span" role="img" aria-label={name}>
        {children}
      </Box>
    </Box>
  );
}
