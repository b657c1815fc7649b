import { type Mission, revokedEvent } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isCode } from '../base/transport-error.ts';
import { useEvents, useServerEvent } from './events.ts';
import { itemsRevoked } from './revoked.ts';

/** Forgets what rights were lost to: told by the server, or found when a mission that was read is not there any more. */
export function useRevocations(): void {
  const queries = useQueryClient();
  const { bus } = useEvents();

  useServerEvent(revokedEvent, ({ noun, ids, all }) => {
    if (noun !== 'session') itemsRevoked(queries, { noun, ids, all });
  });

  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { queryKey, state } = event.query;
        if (queryKey[0] !== 'missions' || queryKey[1] !== 'one' || !isCode(state.error, 'notFound')) return;
        // Its right was lost while nothing could be told: the page does as if it had been.
        const known = state.data as Mission | undefined;
        if (known) bus.emit(revokedEvent.name, { noun: 'missions', ids: [known._id] });
      }),
    [queries, bus],
  );
}
