import { can, conferencesCountEvent, stateEvent } from '@osprey/contract';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { useServerEvent } from '../events/events.ts';

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
