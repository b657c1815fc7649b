import { Box } from '@mui/material';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { useEffect, useRef, useState } from 'react';
import { formatPlace } from '../base/units.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { StateDot } from '../ui/StateDot.tsx';
import { texts } from './texts.ts';

type Props = { map: MapLibreMap | null };

/** A footprint that is missing for a shorter time is not mentioned. Milliseconds. */
const MISSING_MS = 1500;

const NARROW = '@container (max-width: 600px)';

/** Bottom left of the map: the coordinates under the pointer, and why something is not drawn. */
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
        // Scale and hint on the base map are at the right: a narrow map has room for them below this only.
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

/** Ground that frames of the leading sensor show and lack: all of it, or the part beyond the limit. */
function useMissingGround(): Missing | null {
  const { frames, clock } = useViewServices();
  const [missing, setMissing] = useState<Missing | null>(null);
  useEffect(() => {
    let since: number | null = null;
    const timer = setInterval(() => {
      const { leader } = clock.get();
      const frame = leader === null ? null : frames.latest(leader);
      // Without a picture the ground that it shows is not expected.
      const lacks = frame?.record != null && frame.footprint === null && frame.width > 0;
      since = lacks ? (since ?? performance.now()) : null;
      const isLong = since !== null && performance.now() - since >= MISSING_MS;
      setMissing(isLong ? (frame?.cut ? 'cut' : 'all') : null);
    }, MISSING_MS / 2);
    return () => clearInterval(timer);
  }, [frames, clock]);
  return missing;
}
