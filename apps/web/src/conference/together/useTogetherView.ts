import { useEffect, useSyncExternalStore } from 'react';
import type { Overlay } from '../../map/overlay.ts';
import type { OpenView } from '../../missionview/feature.ts';
import { useViewServices } from '../../onscreen/view-services.ts';
import type { PictureGuest } from '../../player/picture/guest.ts';
import { pointersOnVideo } from './on-video.ts';
import { isTogether, openView } from './shared.ts';

/** Overlay that provides the map to the code for leading and following, and draws the pointers of other users on it. */
export const togetherOverlay: Overlay = {
  id: 'together',
  switches: [],
  start: async (deps) => (await deps.still(import('./on-map.ts'))).startOnMap(deps),
};

/** Allows other users to follow this view, and this view to follow theirs. */
export function useTogetherView(view: OpenView): void {
  const { clock, frames } = useViewServices();
  const open = view.view === 'mission' ? view : null;
  const ids = (view.view === 'mission' ? view.sensors.map(({ _id }) => _id) : view.watched).join();
  const missionId = open?.mission._id ?? null;
  const shownIds = open?.address.choice.shownIds ?? null;
  const onChoice = open?.address.onChoice;
  useEffect(() => {
    const sensorIds = ids === '' ? [] : ids.split(',');
    const choose = (chosen: readonly string[] | null) => onChoice?.({ shownIds: chosen });
    const shared =
      missionId === null ? { live: sensorIds, clock } : { missionId, sensorIds, clock, frames, shownIds, choose };
    openView.set(shared);
    return () => {
      if (openView.get() === shared) openView.set(null);
    };
  }, [missionId, ids, clock, frames, shownIds, onChoice]);
}

/** Returns the drawing of other users' pointers over the pictures of a page; null unless the page leads or follows. */
export function useTogetherGuest(): PictureGuest | null {
  const together = useSyncExternalStore(isTogether.subscribe, isTogether.get);
  return together ? pointersOnVideo : null;
}
