import { type ClipContainer, planClip } from '@osprey/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { isoOf } from './address.ts';

type Asked = { missionId: string; sensorId: string; inUs: number; outUs: number; container: ClipContainer };

/** Reads a preview of an export of this span. Null: no request is made. */
export function useClipPlan(asked: Asked | null) {
  const api = useApi();
  return useQuery({
    queryKey: ['clipPlan', asked],
    queryFn: ({ signal }) => {
      const { missionId: mission, sensorId: sensor, inUs, outUs, container: format } = asked!;
      const query = { markIn: isoOf(inUs), markOut: isoOf(outUs), format };
      return api.call(planClip, { params: { mission, sensor }, query }, { signal });
    },
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
