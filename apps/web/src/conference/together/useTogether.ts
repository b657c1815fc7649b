import {
  type SharedView,
  stateEvent,
  type TogetherRoom,
  type TogetherWish,
  togetherEvent,
  togetherViewEvent,
} from '@osprey/contract';
import { useCallback, useEffect, useState } from 'react';
import { useEvents, useServerEvent } from '../../events/events.ts';

const noRooms: readonly TogetherRoom[] = [];

/** The rooms that this account is in, as the server last told; what the leader of the one that is followed shows. */
export function useTogether() {
  const { say } = useEvents();
  const [rooms, setRooms] = useState(noRooms);
  const [shown, setShown] = useState<{ room: string; view: SharedView } | null>(null);
  const wish = useCallback((message: TogetherWish) => say('Together', message), [say]);

  useEffect(() => wish({ command: 'watch' }), [wish]);
  // A new connection leads and follows nothing.
  useServerEvent(stateEvent, ({ state }) => {
    if (state !== 'Online') return;
    setRooms(noRooms);
    setShown(null);
    wish({ command: 'watch' });
  });
  useServerEvent(togetherEvent, (told) => {
    setRooms(told.rooms);
    const followed = new Set(told.rooms.filter(({ page }) => page === 'follows').map(({ _id }) => _id));
    setShown((before) => (before !== null && followed.has(before.room) ? before : null));
  });
  useServerEvent(togetherViewEvent, ({ room, view }) => setShown(view && { room, view }));
  return { rooms, shown, wish, say };
}
