import { can, conferencesCountEvent, listRooms, type Room, stateEvent } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { useSession } from '../api/session.ts';
import { useServerEvent } from '../events/events.ts';

const none: readonly Room[] = [];

/** Whether this installation offers conferences, and this account may join any. */
export function useOffersConference(): boolean {
  const { info, actor } = useSession();
  return info?.useConference === true && can(actor, 'room.list').allowed;
}

/** Rooms with somebody in them, as the server last told. */
export function useConferencesCount(): number {
  const [count, setCount] = useState(0);
  // After a connection the server tells of what there is, and nothing where there is none.
  useServerEvent(stateEvent, () => setCount(0));
  useServerEvent(conferencesCountEvent, ({ conferencesCount }) => setCount(conferencesCount));
  return count;
}

export function useRooms() {
  const api = useApi();
  const query = useQuery({
    queryKey: ['rooms'],
    queryFn: ({ signal }) => api.call(listRooms, {}, { signal }),
    staleTime: 0,
  });
  return { rooms: query.data ?? none, isPending: query.isPending, error: query.isError ? query.error : null };
}

/** Opens the window of a call; false where the browser does not. One window: another room takes its place. */
export function openCall(room: Pick<Room, '_id'>): boolean {
  return window.open(`/conference#room=${room._id}`, 'osprey-conference', 'popup,width=1080,height=720') !== null;
}
