import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useApi } from '../api/api.ts';
import type { Scheme } from '../base/colours.ts';
import type { Overlay } from '../map/overlay.ts';
import type { MapGuest } from '../map/PlacesMap.tsx';
import type { PictureGuest } from '../player/picture/guest.ts';
import type { ViewKind } from './shown-at.ts';
import { tabTexts as texts } from './tab-texts.ts';

const viewOf = (missionId: string | null): ViewKind => {
  if (missionId === null) return { kind: 'live' };
  return missionId === 'anyTime' ? { kind: 'time' } : { kind: 'mission', id: missionId };
};

/**
 * Returns the overlay with the annotations on the map of a view; the object stays the same for the same view.
 * `anyTime`: annotations of all missions, at the time of the page's clock.
 */
export function useAnnotationsOverlay(missionId: string | 'anyTime' | null): Overlay {
  const api = useApi();
  const queries = useQueryClient();
  return useMemo((): Overlay => {
    const view = viewOf(missionId);
    return {
      id: 'annotations',
      title: texts.overlay,
      group: '',
      async start({ map, below, services, still }) {
        const { drawAnnotations } = await still(import('./annotations-drawing.ts'));
        const clock = view.kind === 'live' ? {} : { clock: services.clock };
        const drawing = drawAnnotations({ map, below, api, queries, scheme: 'dark', view, ...clock });
        return { ...drawing, paint: ({ scheme }) => drawing.paint(scheme) };
      },
    };
  }, [api, queries, missionId]);
}

/** Returns the drawing of annotations on the map of all missions. */
export function useAnnotationsGuest(): MapGuest {
  const api = useApi();
  const queries = useQueryClient();
  return useMemo(
    (): MapGuest => ({
      id: 'annotations',
      async start(map, scheme, still, below) {
        const { drawAnnotations } = await still(import('./annotations-drawing.ts'));
        const drawing = drawAnnotations({ map, below, api, queries, scheme, view: { kind: 'missions' } });
        return { setScheme: (next: Scheme) => drawing.paint(next), stop: drawing.stop };
      },
    }),
    [api, queries],
  );
}

/**
 * Returns the drawing of annotations over the pictures of a mission; null until its code has been loaded, and without a
 * mission.
 */
export function useAnnotationsOnVideo(missionId: string | null): PictureGuest | null {
  const api = useApi();
  const queries = useQueryClient();
  const [guest, setGuest] = useState<PictureGuest | null>(null);
  useEffect(() => {
    if (missionId === null) return;
    let ended = false;
    import('./video/annotations-on-video.ts').then(
      ({ annotationsOnVideo }) => {
        if (!ended) setGuest(annotationsOnVideo({ api, queries, missionId }));
      },
      // If the code cannot be loaded, the pictures are shown without annotations.
      () => undefined,
    );
    return () => {
      ended = true;
      setGuest(null);
    };
  }, [api, queries, missionId]);
  return guest;
}
