import { getSensorSheets, type PictureSheet } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { errorOf } from '../../api/http-api.ts';
import { type Cell, cellsOf } from './cells.ts';
import type { SheetsSensor } from './sheets-sensor.ts';

/** Time for which the list of sheets is cached, in milliseconds; it is short, since sheets may still be made. */
const LIST_GOOD_MS = 30_000;

const none: readonly Cell[] = [];

/** Returns the pictures of a sensor along its recording; none while they are unknown. `sensor`: null for none. */
export function useCells(sensor: SheetsSensor | null): readonly Cell[] {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['sheets', sensor?._id],
    enabled: sensor !== null,
    staleTime: LIST_GOOD_MS,
    queryFn: ({ signal }) =>
      api.call(
        getSensorSheets,
        { params: { mission: sensor?.missionId ?? '', sensor: sensor?._id ?? '' } },
        { signal },
      ),
  });
  return useMemo(() => (data ? cellsOf(data) : none), [data]);
}

/**
 * Returns the address of a sheet in this page, once it was read; null while it is not, or if it may not be read. Each
 * sheet is one request, however many of its pictures are drawn.
 */
export function useSheetAddress(
  sensorId: string,
  sheet: PictureSheet | null,
): { address: string | null; isReading: boolean } {
  const { data, isError } = useQuery({
    // Not a key of the sensor's data: a change of the mission does not change a sheet. A lost right drops it.
    queryKey: ['sheetBytes', sensorId, sheet?.url],
    enabled: sheet !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async ({ signal }) => {
      const response = await fetch(sheet?.url ?? '', { signal });
      if (!response.ok) throw await errorOf(response);
      return response.blob();
    },
  });
  const blob = isError ? null : (data ?? null);
  const [made, setMade] = useState<{ blob: Blob; address: string } | null>(null);
  useEffect(() => {
    if (blob === null) return;
    const address = URL.createObjectURL(blob);
    setMade({ blob, address });
    return () => URL.revokeObjectURL(address);
  }, [blob]);
  const address = made !== null && made.blob === blob ? made.address : null;
  return { address, isReading: sheet !== null && address === null && !isError };
}
