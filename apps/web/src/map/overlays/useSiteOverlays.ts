import { getMapConfig, type MapLayer, mapLayersEvent } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { useApi } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { useServerEvent } from '../../events/events.ts';
import { useViewServices } from '../../onscreen/view-services.ts';
import { siteChoices } from '../map-storage.ts';
import type { Overlay } from '../overlay.ts';
import { siteOverlay } from './site-overlay.ts';

/**
 * Time in milliseconds for which the list is considered fresh: files in the server's folder change rarely, and uploads
 * by the page are reported by an event.
 */
const LIST_CACHE_MS = 60_000;
const NONE: readonly MapLayer[] = [];

/** Returns the overlays of this site's tile sets. Which of them are shown is stored for each user of the browser. */
export function useSiteOverlays(): readonly Overlay[] {
  const api = useApi();
  const username = useSession().actor?.username ?? '';
  const { firstFrame } = useViewServices();
  const hasFrame = useSyncExternalStore(firstFrame.subscribe, firstFrame.get);
  const { data } = useQuery({
    queryKey: ['mapconfig'],
    // The map is loaded after the first picture, so its layers are requested only then.
    enabled: hasFrame,
    staleTime: LIST_CACHE_MS,
    queryFn: () => api.call(getMapConfig, {}),
  });
  const queries = useQueryClient();
  useServerEvent(mapLayersEvent, () => void queries.invalidateQueries({ queryKey: ['mapconfig'] }));
  const layers = data?.layers ?? NONE;
  return useMemo(() => {
    const choices = siteChoices(username);
    return layers.map((layer) => siteOverlay(layer, choices));
  }, [layers, username]);
}
