import { mdiCameraOutline } from '@mdi/js';
import { changedEvents, listSnapshots, type SnapshotMark } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../api/api.ts';
import { useServerEvent } from '../events/events.ts';
import type { TimelineMark } from '../timeline/marks.ts';

const none: readonly SnapshotMark[] = [];

/**
 * Returns timeline pins for those snapshots of a mission that the user may see. A snapshot whose frame no longer exists
 * has none. Null: no mission.
 */
export function useSnapshots(missionId: string | null): readonly TimelineMark[] {
  const api = useApi();
  const queries = useQueryClient();
  const { data = none } = useQuery({
    queryKey: ['snapshots', missionId],
    queryFn: ({ signal }) => api.call(listSnapshots, { query: { missionIdOrName: missionId! } }, { signal }),
    enabled: missionId !== null,
  });
  // The event contains only document ids, so the server must be asked which of them are snapshots of this mission.
  useServerEvent(changedEvents.document, () => void queries.invalidateQueries({ queryKey: ['snapshots', missionId] }));
  return useMemo(
    () =>
      data.flatMap(({ _id, title, time }) =>
        time === null ? [] : [{ id: _id, timeUs: time, ink: 'currentColor', icon: mdiCameraOutline, label: title }],
      ),
    [data],
  );
}
