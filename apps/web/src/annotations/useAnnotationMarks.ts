import { mdiVectorPolygon } from '@mdi/js';
import { type AnnotationRow, listAnnotations } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../api/api.ts';
import { plainText } from '../base/format.ts';
import type { TimelineMark } from '../timeline/marks.ts';

const none: AnnotationRow[] = [];
/** Annotations are blue (look.md). */
const INK = 'var(--mui-palette-primary-main)';
const MARKS_MAX = '500';

/**
 * Returns the annotations of a mission that are shown only during a part of it, as marks for its timeline. Without a
 * mission (null), returns none.
 */
export function useAnnotationMarks(missionId: string | null, enabled: boolean): readonly TimelineMark[] {
  const api = useApi();
  const { data = none } = useQuery({
    queryKey: ['annotations', 'mission-rows', missionId],
    queryFn: async ({ signal }) =>
      (await api.call(
        listAnnotations,
        { query: { mission: missionId!, limit: MARKS_MAX } },
        { signal },
      )) as AnnotationRow[],
    enabled: enabled && missionId !== null,
  });
  return useMemo(
    () =>
      data.flatMap(({ _id: id, title, startTime, endTime }): TimelineMark[] =>
        startTime === null || endTime === null
          ? []
          : [{ id, timeUs: startTime, endUs: endTime, ink: INK, icon: mdiVectorPolygon, label: plainText(title) }],
      ),
    [data],
  );
}
