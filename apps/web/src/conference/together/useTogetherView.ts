import type { Sensor } from '@osprey/contract';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Overlay } from '../../map/overlay.ts';
import type { ViewAddress } from '../../missionview/address.ts';
import { useParts } from '../../onscreen/parts.ts';
import { joinGuests, type PictureGuest } from '../../player/picture/guest.ts';
import { pointersOnVideo } from './on-video.ts';
import { isTogether, openView } from './shared.ts';

/** Overlay that gives the map to the code for leading and following, and draws the pointers of others on it. */
export const togetherOverlay: Overlay = {
  id: 'together',
  switches: [],
  start: async (deps) => (await deps.still(import('./on-map.ts'))).startOnMap(deps),
};

type Options = {
  missionId: string;
  sensors: readonly Sensor[];
  address: Pick<ViewAddress, 'choice' | 'onChoice'>;
  /** Other drawings of the page over the pictures. */
  guest: PictureGuest | null;
};

/** Lets others follow this view, and this view follow others; what is drawn of their pointers. */
export function useTogetherView({ missionId, sensors, address, guest }: Options) {
  const { clock, frames } = useParts();
  const { choice, onChoice } = address;
  const { shownIds } = choice;
  const ids = sensors.map(({ _id }) => _id).join();
  useEffect(() => {
    const sensorIds = ids.split(',');
    const view = {
      missionId,
      sensorIds,
      clock,
      frames,
      shownIds,
      choose: (chosen: readonly string[] | null) => onChoice({ shownIds: chosen }),
    };
    openView.set(view);
    return () => {
      if (openView.get() === view) openView.set(null);
    };
  }, [missionId, ids, clock, frames, shownIds, onChoice]);
  return { overlay: togetherOverlay, guest: useTogetherGuest(guest) };
}

/** The same for the live page, of the sensors on screen. */
export function useTogetherLive(sensorIds: readonly string[], guest: PictureGuest | null): PictureGuest | null {
  const { clock } = useParts();
  const ids = sensorIds.join();
  useEffect(() => {
    const view = { live: ids === '' ? [] : ids.split(','), clock };
    openView.set(view);
    return () => {
      if (openView.get() === view) openView.set(null);
    };
  }, [ids, clock]);
  return useTogetherGuest(guest);
}

/** Adds the pointers of others to the drawings over the pictures of a page, while the page leads or follows. */
function useTogetherGuest(guest: PictureGuest | null): PictureGuest | null {
  const together = useSyncExternalStore(isTogether.subscribe, isTogether.get);
  return useMemo(() => (together ? joinGuests([guest, pointersOnVideo]) : guest), [together, guest]);
}
