import { can, conferencesCountEvent, stateEvent } from '@osprey/contract';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { useServerEvent } from '../events/events.ts';

/** Returns whether this installation offers conferences, and this account may join any. */
export function useOffersConference(): boolean {
  const { info, actor } = useSession();
  return info?.useConference === true && can(actor, 'room.list').allowed;
}

/** Number of occupied rooms by the last event. */
export function useConferencesCount(): number {
  const [count, setCount] = useState(0);
  // After a connection the server sends the count, unless it is 0.
  useServerEvent(stateEvent, () => setCount(0));
  useServerEvent(conferencesCountEvent, ({ conferencesCount }) => setCount(conferencesCount));
  return count;
}
