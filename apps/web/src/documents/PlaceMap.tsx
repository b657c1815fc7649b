import { Box } from '@mui/material';
import type { DocumentGeometry } from '@osprey/contract';
import { useEffect, useRef, useState } from 'react';
import { createBaseMap } from '../map/create-map.ts';
import { drawPlace } from '../map/overlays/place-layers.ts';
import { FILLS, MAP_SX } from '../map/view.ts';
import { useScheme } from '../ui/StateDot.tsx';

type Props = { geometry: DocumentGeometry; label: string };

/** Map that shows the place of a document. */
export function PlaceMap({ geometry, label }: Props) {
  const container = useRef<HTMLElement>(null);
  const scheme = useScheme();
  const [ready, setReady] = useState(false);

  useEffect(() => {
    if (container.current === null) return;
    const map = createBaseMap({ container: container.current, scheme, view: { center: [0, 0], zoom: 1 } });
    map.once('load', () => {
      drawPlace(map, geometry, scheme);
      setReady(true);
    });
    return () => map.remove();
  }, [geometry, scheme]);

  return (
    <Box
      data-map={ready ? 'ready' : 'waiting'}
      sx={{ ...MAP_SX, position: 'relative', height: 180, flex: 'none', borderTop: 1, borderColor: 'divider' }}
    >
      <section ref={container} aria-label={label} style={FILLS} />
    </Box>
  );
}
