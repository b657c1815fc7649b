import { can, conferencesCountEvent, stateEvent } from '@osprey/contract';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { useServerEvent } from '../events/events.ts';

/** Returns whether this installation offers conferences, and this account may join any. */
export function useOffersConference(): boolean {
  const { info, actor } = useSession();
  return info?.useConference === true && can(actor, 'room.list').allowed;
}

/** Returns the number of occupied rooms according to the latest event. */
export function useConferencesCount(): number {
  const [count, setCount] = useState(0);
  // After a connection is established, the server sends the count only if it is not 0.
  useServerEvent(stateEvent, () => setCount(0));
  useServerEvent(conferencesCountEvent, ({ conferencesCount }) => setCount(conferencesCount));
  return count;
}
