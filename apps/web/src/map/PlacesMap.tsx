import { mdiMapMarkerOffOutline } from '@mdi/js';
import { Box } from '@mui/material';
import type { Mission } from '@osprey/contract';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Scheme } from '../base/colours.ts';
import { formatCount } from '../base/format.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { useScheme } from '../ui/StateDot.tsx';
import { type Still, stillWhile } from './overlay.ts';
import { countWithin, placesOf, type ViewBounds } from './overlays/places.ts';
import type { PlacesDrawing } from './overlays/places-drawing.ts';
import { texts } from './texts.ts';
import { useStartedMap } from './useStartedMap.ts';
import { FILLS, MAP_SX } from './view.ts';

/** Drawings of a page on the map besides the places, such as annotations. */
export type MapGuest = {
  id: string;
  /** `still` is put around each wait of the start. */
  start: (
    map: MapLibreMap,
    scheme: Scheme,
    still: Still,
  ) => Promise<{ setScheme: (scheme: Scheme) => void; stop: () => void }>;
};

type Props = {
  missions: readonly Mission[];
  onSelect: (id: string) => void;
  /** Each is the same object while it draws the same things. */
  guests?: readonly MapGuest[];
  /** Controls over the map, such as those of a guest. */
  children?: ReactNode;
};

const noGuests: readonly MapGuest[] = [];

/** Map of the places of the table's missions; a click opens one, a click on a group comes closer. */
export function PlacesMap({ missions, onSelect, guests = noGuests, children }: Props) {
  const scheme = useScheme();
  const [view, setView] = useState<ViewBounds | null>(null);
  const { container, drawing, failed } = useStartedMap(async (element) => {
    const { startPlaces } = await import('./overlays/places-drawing.ts');
    return startPlaces(element, now.current.scheme, {
      onSelect: (id) => now.current.onSelect(id),
      onView: (shown) => setView(shown),
    });
  });
  const now = useRef({ scheme, onSelect });
  now.current = { scheme, onSelect };

  useEffect(() => drawing?.setScheme(scheme), [drawing, scheme]);
  useEffect(() => drawing?.setPlaces(placesOf(missions, scheme)), [drawing, missions, scheme]);

  const hint = hintOf(missions, view);
  return (
    <Box
      component="section"
      aria-label={texts.places}
      sx={{
        position: 'relative',
        height: '100%',
        minHeight: 200,
        overflow: 'hidden',
        bgcolor: 'surface.base',
        ...MAP_SX,
        borderRadius: 2,
      }}
    >
      <div ref={container} style={FILLS} />
      {failed && <Notice failed icon={mdiMapMarkerOffOutline} title={texts.failed} />}
      {drawing && guests.map((guest) => <Guest key={guest.id} guest={guest} drawing={drawing} scheme={scheme} />)}
      {children}
      <Box
        role="status"
        sx={{
          display: hint === '' ? 'none' : 'block',
          position: 'absolute',
          left: 8,
          bottom: 8,
          px: 2,
          fontSize: 12,
          borderRadius: 1,
          border: 1,
          borderColor: 'surface.line',
          bgcolor: 'surface.panel',
        }}
      >
        {hint}
      </Box>
    </Box>
  );
}

/** How many of the missions are inside the view; nothing about an empty list, or before the map has come. */
function hintOf(missions: readonly Mission[], view: ViewBounds | null): string {
  if (missions.length === 0) return '';
  if (missions.every(({ place }) => place === null)) return texts.placesNone;
  return view === null ? '' : formatCount(countWithin(missions, view), texts.placesHint);
}

function Guest({ guest, drawing, scheme }: { guest: MapGuest; drawing: PlacesDrawing; scheme: Scheme }) {
  const [running, setRunning] = useState<Awaited<ReturnType<MapGuest['start']>> | null>(null);
  const now = useRef(scheme);
  now.current = scheme;
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isOver = false;
    const still = stillWhile(() => !isOver);
    guest.start(drawing.map, now.current, still).then(
      (started) => {
        if (isOver) return started.stop();
        stop = started.stop;
        setRunning(started);
      },
      // The places are still of use without it.
      () => undefined,
    );
    return () => {
      isOver = true;
      setRunning(null);
      stop?.();
    };
  }, [drawing, guest]);
  useEffect(() => running?.setScheme(scheme), [running, scheme]);
  return null;
}
