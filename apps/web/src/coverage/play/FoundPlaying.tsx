import { Box } from '@mui/material';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useActor } from '../../api/session.ts';
import { later } from '../../ui/later.tsx';
import { endPlaying, usePlayList } from './play-list.ts';

const FoundBar = later(async () => (await import('./FoundBar.tsx')).FoundBar, { optional: true });

type Props = { missionId: string; children: ReactNode };

/** Wraps the view of a mission. Shows a bar above it if a list of found spans is being played there. */
export function FoundPlaying({ missionId, children }: Props) {
  const list = usePlayList();
  const { id } = useActor();
  const isPlayed = list?.actorId === id && list.spans[list.at]?.missionId === missionId;
  const arrive = useEffectEvent(() => {
    // The user has gone to another mission, so playing the list ends.
    if (list !== null && !isPlayed) endPlaying();
  });
  useEffect(() => arrive(), []);
  return (
    <Box sx={{ height: '100%', minWidth: 0, display: 'flex', flexDirection: 'column' }}>
      {isPlayed && <FoundBar list={list} />}
      <Box sx={{ flex: 1, minHeight: 0 }}>{children}</Box>
    </Box>
  );
}
