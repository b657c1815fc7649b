import { Box, Button, CircularProgress, Typography } from '@mui/material';
import { listRooms, type Room } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Api } from '../../api/api.ts';
import { storedCredentials } from '../../api/credentials.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { type Call, startCall } from './call.ts';
import { InCall } from './InCall.tsx';
import { type Chosen, Lobby } from './Lobby.tsx';
import { texts } from './texts.ts';

/** The room is given in the fragment of the address, which is never sent to a server or written to a log. */
const roomInAddress = (): string | null => new URLSearchParams(location.hash.slice(1)).get('room');

export function CallPage({ api }: { api: Api }) {
  const [roomId] = useState(roomInAddress);
  const rooms = useQuery({ queryKey: ['rooms'], queryFn: () => api.call(listRooms, {}), retry: false });
  const room = rooms.data?.find(({ _id }) => _id === roomId);

  useEffect(() => {
    // Opening a room in this window replaces the current one.
    const onOther = () => location.reload();
    window.addEventListener('hashchange', onOther);
    return () => window.removeEventListener('hashchange', onOther);
  }, []);
  useEffect(() => {
    document.title = room === undefined ? texts.title : fill(texts.titleOf, { room: room.name });
  }, [room]);

  if (roomId === null) return <Words text={texts.noRoom} />;
  if (rooms.isError) return <Words text={errorText(rooms.error)} />;
  if (rooms.isPending) {
    return (
      <Centre>
        <CircularProgress aria-label={texts.coming} />
      </Centre>
    );
  }
  if (room === undefined) return <Words text="Not found, or not visible to you." />;
  return <Joining api={api} room={room} />;
}

function Joining({ api, room }: { api: Api; room: Room }) {
  const [call, setCall] = useState<Call | null>(null);

  useEffect(() => {
    if (call === null) return;
    const leave = () => call.close();
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [call]);

  function join({ sound, camera }: Chosen) {
    const started = startCall({ api, room: room._id, username: storedCredentials()?.username ?? '' });
    started.setTracks({ sound, camera });
    setCall(started);
  }

  if (call === null) return <Lobby room={room} onJoin={join} />;
  return (
    <InCall
      call={call}
      room={room}
      onAgain={() => {
        call.close();
        setCall(null);
      }}
    />
  );
}

function Words({ text }: { text: string }) {
  return (
    <Centre>
      <Typography role="alert">{text}</Typography>
      <Button onClick={() => window.close()}>{texts.over.close}</Button>
    </Centre>
  );
}

function Centre({ children }: { children: React.ReactNode }) {
  return (
    <Box
      component="main"
      sx={{
        ...{ display: 'grid', placeContent: 'center', justifyItems: 'center', gap: 4 },
        ...{ minHeight: '100dvh', p: 6, textAlign: 'center' },
      }}
    >
      {children}
    </Box>
  );
}
