import { Box } from '@mui/material';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { useEffect, useRef, useState } from 'react';
import { formatPlace } from '../base/units.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { StateDot } from '../ui/StateDot.tsx';
import { texts } from './texts.ts';

type Props = { map: MapLibreMap | null };

/** Time in milliseconds after which a missing footprint is reported. */
const MISSING_MS = 1500;

const NARROW = '@container (max-width: 600px)';

/**
 * Notes at the bottom left of the map: the coordinates under the pointer, and the reason why something is not drawn.
 */
export function MapHints({ map }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const missing = useMissingGround();

  useEffect(() => {
    if (!map) return;
    const notify = (text: string) => {
      if (place.current) place.current.textContent = text;
    };
    const onMove = ({ lngLat }: { lngLat: { lng: number; lat: number } }) =>
      notify(formatPlace({ lon: lngLat.lng, lat: lngLat.lat }));
    const onLeave = () => notify('');
    map.on('mousemove', onMove);
    map.on('mouseout', onLeave);
    return () => {
      map.off('mousemove', onMove);
      map.off('mouseout', onLeave);
    };
  }, [map]);

  return (
    <Box
      sx={{
        position: 'absolute',
        left: 8,
        bottom: 22,
        display: 'grid',
        justifyItems: 'start',
        gap: 1,
        pointerEvents: 'none',
        fontSize: 12,
        // On a narrow map the notes are above the scale and the hint on the base map, which are at the right.
        [NARROW]: { bottom: 76, right: 8 },
        '& > *:not(:empty)': {
          px: 2,
          borderRadius: 1,
          bgcolor: 'surface.panel',
          border: 1,
          borderColor: 'surface.line',
        },
      }}
    >
      {missing && (
        <Box role="status" sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          <StateDot state={missing === 'cut' ? 'partial' : 'lost'} />
          {missing === 'cut' ? texts.cut : texts.noFootprint}
        </Box>
      )}
      <span ref={place} role="note" aria-label={texts.pointer} />
    </Box>
  );
}

type Missing = 'cut' | 'all';

/**
 * Returns which part of the ground is missing in the frames of the leading sensor: all of it, or only the part beyond
 * the limit (`cut`); null: none.
 */
function useMissingGround(): Missing | null {
  const { frames, clock } = useViewServices();
  const [missing, setMissing] = useState<Missing | null>(null);
  useEffect(() => {
    let since: number | null = null;
    const timer = setInterval(() => {
      const { leader } = clock.get();
      const frame = leader === null ? null : frames.latest(leader);
      // Without a picture, no ground is expected.
      const lacks = frame?.record != null && frame.footprint === null && frame.width > 0;
      since = lacks ? (since ?? performance.now()) : null;
      const isLong = since !== null && performance.now() - since >= MISSING_MS;
      setMissing(isLong ? (frame?.cut ? 'cut' : 'all') : null);
    }, MISSING_MS / 2);
    return () => clearInterval(timer);
  }, [frames, clock]);
  return missing;
}
