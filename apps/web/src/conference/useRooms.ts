import { listRooms, type Room } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';

const none: readonly Room[] = [];

export function useRooms() {
  const api = useApi();
  const query = useQuery({
    queryKey: ['rooms'],
    queryFn: ({ signal }) => api.call(listRooms, {}, { signal }),
    staleTime: 0,
  });
  return { rooms: query.data ?? none, isPending: query.isPending, error: query.isError ? query.error : null };
}

/**
 * Opens the window of a call. Returns false if the browser does not open it. There is only one such window: another
 * room replaces the current one.
 */
export function openCall(room: Pick<Room, '_id'>): boolean {
  return window.open(`/conference#room=${room._id}`, 'osprey-conference', 'popup,width=1080,height=720') !== null;
}
