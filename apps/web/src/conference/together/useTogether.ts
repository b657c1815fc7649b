import {
  type SharedView,
  stateEvent,
  type TogetherRoom,
  type TogetherWish,
  togetherEvent,
  togetherViewEvent,
} from '@osprey/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useEvents, useServerEvent } from '../../events/events.ts';

const noRooms: readonly TogetherRoom[] = [];

/**
 * Returns the rooms of this account according to the latest event, and the view of the leader that this page follows.
 */
export function useTogether() {
  const { say } = useEvents();
  const [rooms, setRooms] = useState(noRooms);
  const [shown, setShown] = useState<{ room: string; view: SharedView } | null>(null);
  /** The user's choice by room; kept when the connection of this page or of the call is lost. */
  const chosen = useRef(new Map<string, 'lead' | 'follow'>());
  const wish = useCallback(
    (message: TogetherWish) => {
      if (message.command === 'stop') chosen.current.delete(message.room);
      else if (message.command !== 'watch') chosen.current.set(message.room, message.command);
      say('Together', message);
    },
    [say],
  );

  useEffect(() => wish({ command: 'watch' }), [wish]);
  // A new connection neither leads nor follows, so the state is reset.
  useServerEvent(stateEvent, ({ state }) => {
    if (state !== 'Online') return;
    setRooms(noRooms);
    setShown(null);
    wish({ command: 'watch' });
  });
  useServerEvent(togetherEvent, (state) => {
    setRooms(state.rooms);
    for (const { _id: room, page, leader } of state.rooms) {
      const command = chosen.current.get(room);
      if (page !== 'neither' || command === undefined) continue;
      // Another member leads now, so this page does not lead again.
      if (command === 'lead' && leader !== null) chosen.current.delete(room);
      else wish({ command, room });
    }
    const followed = new Set(state.rooms.filter(({ page }) => page === 'follows').map(({ _id }) => _id));
    setShown((before) => (before !== null && followed.has(before.room) ? before : null));
  });
  useServerEvent(togetherViewEvent, ({ room, view }) => setShown(view && { room, view }));
  return { rooms, shown, wish, say };
}
