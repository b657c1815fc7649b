import {
  type AoiMode,
  AppError,
  getVideoList,
  type Mission,
  missionsEvent,
  type Sensor,
  videoBinUs,
} from '@osprey/contract';
import { wrapLon } from '@osprey/geo';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { useServerEvent } from '../../events/events.ts';
import type { AreaPolygon } from '../../map/draw/area.ts';
import type { DrawMode } from '../../map/draw/drawing.ts';
import { CONTROL_MODES, type ControlMode, type MapQueryControl } from '../../map/map-query.ts';
import { readMapProps, writeMapProps } from '../../map/map-storage.ts';
import { queryOverlay } from '../../map/overlays/query-overlay.ts';
import { useViewServices } from '../../onscreen/view-services.ts';
import type { TimelineHits } from '../../timeline/marks.ts';
import { useAlert } from '../../ui/dialog/AlertDialog.tsx';
import { useAddressFilter } from '../../ui/filter/useAddressFilter.ts';
import { useSameFunction } from '../../ui/useSameFunction.ts';
import { type Filter, filterRules } from '../filter.ts';
import { texts } from './texts.ts';

type Asked = { sensor: string; ring: [number, number][]; start: number; end: number };

/**
 * Provides areas drawn on the map: in an open mission they query the leading sensor, otherwise (null) they filter the
 * list of missions.
 */
export function useMapQuery(mission: Mission | null, sensors: readonly Sensor[]) {
  const missionId = mission?._id ?? '';
  const api = useApi();
  const { clock } = useViewServices();
  const { alert } = useAlert();
  const { filter, setFilter } = useAddressFilter(filterRules);
  const [mode, setMode] = useState<ControlMode>(CONTROL_MODES.none);
  const [aoiMode, setAoiMode] = useState<AoiMode>(() => readMapProps().aoiControlsMode);
  const [drawMode, setDrawMode] = useState<DrawMode>('rectangle');
  const [asked, setAsked] = useState<Asked | null>(null);

  const { data, error, refetch } = useQuery({
    queryKey: ['videolist', missionId, asked, aoiMode],
    enabled: asked !== null,
    queryFn: () => {
      const { sensor, ring, start, end } = asked!;
      return api.call(getVideoList, {
        params: { mission: missionId, sensor },
        body: { geometry: { type: 'Polygon' as const, coordinates: [ring] }, aoiMode, start, end },
      });
    },
  });
  useServerEvent(missionsEvent, ({ ids }) => {
    if (asked !== null && ids.includes(missionId)) void refetch();
  });
  const failed = useEffectEvent((reason: unknown) => {
    alert(texts.title, failureText(reason));
    setAsked(null);
  });
  useEffect(() => {
    if (error) failed(error);
  }, [error]);

  const drawn = useSameFunction((polygon: AreaPolygon) => {
    if (mode === CONTROL_MODES.filter) {
      const next: Filter = { ...filter, area: polygon as Filter['area'], aoiMode };
      filterRules.store(next);
      return setFilter(next);
    }
    const { leader, startUs, endUs } = clock.get();
    // The server only searches data that is recorded and processed, so a query during recording would wrongly find
    // nothing. No sensor leads while all of them are being recorded, so in that case any running one counts.
    if (sensors.some(({ _id, state }) => (leader === null || _id === leader) && state === 'Running'))
      return alert(texts.title, texts.running);
    if (leader === null) return alert(texts.title, texts.noSensor);
    setAsked({ sensor: leader, ring: ringOf(polygon), start: Math.floor(startUs), end: Math.ceil(endUs) });
  });
  const overlay = useMemo(
    () => (mode === CONTROL_MODES.none ? null : queryOverlay(drawMode, drawn)),
    [mode, drawMode, drawn],
  );
  const control = useMemo(
    (): MapQueryControl => ({
      ...{ mode, aoiMode, drawMode, onDrawMode: setDrawMode },
      onMode(next) {
        setMode(next);
        if (next !== CONTROL_MODES.query) setAsked(null);
      },
      onAoiMode(next) {
        setAoiMode(next);
        writeMapProps({ ...readMapProps(), aoiControlsMode: next });
      },
    }),
    [mode, aoiMode, drawMode],
  );
  const name = sensors.find(({ _id }) => _id === asked?.sensor)?.name ?? '';
  const hits = useMemo((): TimelineHits | undefined => {
    if (asked === null) return undefined;
    const bins = data?.map(({ start, avg }) => ({ timeUs: start, share: avg })) ?? null;
    const label = fill(texts.hits, { sensor: name });
    return { label, bins, binUs: videoBinUs(asked), onClose: () => setAsked(null) };
  }, [asked, data, name]);
  return { control, overlay, hits };
}

/** Returns the ring with longitudes wrapped as the server expects, including areas drawn across the antimeridian. */
const ringOf = ({ coordinates: [ring = []] }: AreaPolygon) =>
  ring.map(([lon = 0, lat = 0]): [number, number] => [wrapLon(lon), lat]);

/** Returns the error sentence followed by the details of the server's message. */
function failureText(error: unknown): string {
  const detail = error instanceof AppError && Object.keys(error.values).length > 0 ? JSON.stringify(error.values) : '';
  return [error instanceof AppError ? error.message : errorText(error), detail].filter(Boolean).join('\n');
}
