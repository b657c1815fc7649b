import { getFrameCenterPoints, getMissionArea, getSensorPath, type Mission } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import type { GeoJSON } from 'geojson';
import { useMemo } from 'react';
import { useApi } from '../../api/api.ts';
import { fill, formatArea } from '../../base/format.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import type { Overlay } from '../overlay.ts';
import { texts } from '../texts.ts';
import { heatOf } from './heat.ts';
import { type RecordingData, recordingOverlay } from './recording-overlay.ts';

const errorTexts = { area: texts.areaError, path: texts.pathError, heatmap: texts.heatmapError } as const;

/** All kinds in drawing order, lowest first. */
const ALL: readonly RecordingData[] = ['heatmap', 'area', 'path'];

/** Returns the overlays with the area, the path and the heat map of a recording. */
export function useRecordingOverlays({ _id: mission, platform: { presentation } }: Mission): readonly Overlay[] {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const { color } = presentation;

  return useMemo(() => {
    async function ask(data: RecordingData, sensor: string): Promise<GeoJSON> {
      if (data === 'area') {
        const area = await api.call(getMissionArea, { params: { mission } });
        show(fill(texts.areaShown, { area: formatArea(area.properties.areaSqKm) }), 'info');
        return area as GeoJSON;
      }
      const params = { mission, sensor };
      if (data === 'path') return (await api.call(getSensorPath, { params })) as GeoJSON;
      return heatOf(await api.call(getFrameCenterPoints, { params }));
    }

    async function read(data: RecordingData, leader: string | null): Promise<GeoJSON> {
      if (data !== 'area' && leader === null) throw new Error(texts.noMaster);
      const sensor = leader ?? '';
      try {
        const queryKey = ['maplayer', data, data === 'area' ? mission : sensor];
        return await queries.fetchQuery({ queryKey, queryFn: () => ask(data, sensor), staleTime: 60_000 });
      } catch (error) {
        const message = error instanceof Error ? error.message : texts.unknownFault;
        throw new Error(fill(errorTexts[data], { message }));
      }
    }

    return ALL.map((data) => recordingOverlay(data, { colour: color, read: (leader) => read(data, leader) }));
  }, [api, queries, show, mission, color]);
}
