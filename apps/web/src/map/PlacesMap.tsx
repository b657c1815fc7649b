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

/** Additional drawings of a page on the map, such as annotations. */
export type MapGuest = {
  id: string;
  /** Starts the drawing, with its layers below `below`. `still` must wrap each promise that is awaited meanwhile. */
  start: (
    map: MapLibreMap,
    scheme: Scheme,
    still: Still,
    below: string,
  ) => Promise<{ setScheme: (scheme: Scheme) => void; stop: () => void }>;
};

type Props = {
  missions: readonly Mission[];
  onSelect: (id: string) => void;
  /** Additional drawings. A guest must stay the same object as long as it draws the same. */
  guests?: readonly MapGuest[];
  /** Controls over the map, for example those of a guest. */
  children?: ReactNode;
};

const noGuests: readonly MapGuest[] = [];

/**
 * Map of the places of the missions in the table. A click on a place opens the mission, a click on a group zooms in.
 */
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

/** Returns how many of the missions are within the view; empty if the list is empty, or before the map is loaded. */
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
    guest.start(drawing.map, now.current, still, drawing.lowest).then(
      (started) => {
        if (isOver) return started.stop();
        stop = started.stop;
        setRunning(started);
      },
      // If a guest cannot be loaded, the map shows the places without it.
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
