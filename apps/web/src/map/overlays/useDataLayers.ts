import { getFrameCenterPoints, getMissionArea, getSensorPath, type Mission } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import type { GeoJSON } from 'geojson';
import { useEffect, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { fill, formatArea } from '../../base/format.ts';
import { useParts } from '../../onscreen/parts.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { texts } from '../texts.ts';
import type { DataLayer } from './data-layer-names.ts';
import { heatOf } from './heat.ts';

const errorTexts = { area: texts.areaError, path: texts.pathError, heatmap: texts.heatmapError } as const;

type SetData = (layer: DataLayer, data: GeoJSON | null) => void;

/** Switches area, path and heat map: each is asked for when first shown, and says why when it cannot be. */
export function useDataLayers(setData: SetData | null, mission: Mission | null, switchOff: (layer: DataLayer) => void) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const { clock } = useParts();
  const [busy, setBusy] = useState<DataLayer | null>(null);
  const [shown, setShown] = useState<ReadonlySet<DataLayer>>(new Set());

  async function read(layer: DataLayer, { _id }: Mission): Promise<GeoJSON> {
    if (layer === 'area') {
      const area = await api.call(getMissionArea, { params: { mission: _id } });
      show(fill(texts.areaShown, { area: formatArea(area.properties.areaSqKm) }), 'info');
      return area as GeoJSON;
    }
    const params = { mission: _id, sensor: clock.get().leader ?? '' };
    if (layer === 'path') return (await api.call(getSensorPath, { params })) as GeoJSON;
    return heatOf(await api.call(getFrameCenterPoints, { params }));
  }

  async function turnOn(layer: DataLayer) {
    if (mission === null) return;
    const sensor = clock.get().leader;
    if (layer !== 'area' && sensor === null) {
      show(texts.noMaster, 'error');
      return switchOff(layer);
    }
    setBusy(layer);
    try {
      const queryKey = ['maplayer', layer, layer === 'area' ? mission._id : sensor];
      const data = await queries.fetchQuery({ queryKey, queryFn: () => read(layer, mission), staleTime: 60_000 });
      setData?.(layer, data);
      setShown((before) => new Set([...before, layer]));
    } catch (error) {
      const message = error instanceof Error ? error.message : texts.unknownFault;
      show(fill(errorTexts[layer], { message }), 'error');
      switchOff(layer);
    } finally {
      setBusy(null);
    }
  }

  function turnOff(layer: DataLayer) {
    setData?.(layer, null);
    setShown((before) => new Set([...before].filter((one) => one !== layer)));
  }

  // Another sensor leads: its path and heat map are others.
  useEffect(() => {
    let leader = clock.get().leader;
    return clock.subscribe(() => {
      if (clock.get().leader === leader) return;
      leader = clock.get().leader;
      for (const layer of ['path', 'heatmap'] as const) switchOff(layer);
    });
  }, [clock, switchOff]);

  return { busy, shown, turnOn, turnOff };
}
