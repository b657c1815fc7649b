import { mdiMapMarkerOffOutline } from '@mdi/js';
import { Box } from '@mui/material';
import type { Mission } from '@osprey/contract';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { useEffect, useRef, useState } from 'react';
import type { Scheme } from '../base/colours.ts';
import { formatCount } from '../base/format.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { useScheme } from '../ui/StateDot.tsx';
import { countWithin, placesOf, type ViewBounds } from './overlays/places.ts';
import type { PlacesDrawing } from './overlays/places-drawing.ts';
import { texts } from './texts.ts';
import { FILLS, MAP_SX } from './view.ts';

/** Drawings of a page on the map besides the places, such as annotations. */
export type MapGuest = {
  start: (map: MapLibreMap, scheme: Scheme) => Promise<{ setScheme: (scheme: Scheme) => void; stop: () => void }>;
};

type Props = {
  missions: readonly Mission[];
  onSelect: (id: string) => void;
  /** The same while the same things are drawn. */
  guest?: MapGuest;
};

/** Map of the places of the table's missions; a click opens one, a click on a group comes closer. */
export function PlacesMap({ missions, onSelect, guest }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const scheme = useScheme();
  const [drawing, setDrawing] = useState<PlacesDrawing | null>(null);
  const [view, setView] = useState<ViewBounds | null>(null);
  const [failed, setFailed] = useState(false);
  const now = useRef({ scheme, onSelect });
  now.current = { scheme, onSelect };
  // Declared before the effect that ends the map, so that its clean-up runs first.
  useGuest(drawing, guest, scheme);

  useEffect(() => {
    if (!container.current) return;
    const element = container.current;
    let ended = false;
    let end: (() => void) | null = null;
    import('./overlays/places-drawing.ts')
      .then(({ startPlaces }) =>
        startPlaces(element, now.current.scheme, {
          onSelect: (id) => now.current.onSelect(id),
          onView: (shown) => ended || setView(shown),
        }),
      )
      .then(
        (started) => {
          if (ended) return started.end();
          end = started.end;
          setDrawing(started);
        },
        () => setFailed(true),
      );
    return () => {
      ended = true;
      end?.();
    };
  }, []);

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

function useGuest(drawing: PlacesDrawing | null, guest: MapGuest | undefined, scheme: Scheme) {
  const [running, setRunning] = useState<Awaited<ReturnType<MapGuest['start']>> | null>(null);
  const now = useRef(scheme);
  now.current = scheme;
  useEffect(() => {
    if (!drawing || !guest) return;
    let stop: (() => void) | null = null;
    let isOver = false;
    guest.start(drawing.map, now.current).then(
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
}
