import { Box, Link } from '@mui/material';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { useEffect, useState } from 'react';
import type { FineBase } from './fine-base.ts';
import type { OverlayState } from './overlay-host.ts';
import { texts } from './texts.ts';

/** Zooms from which the coast is visibly coarse: that of the built-in map (1:10 million), and below, the finer one. */
const COARSE_FROM = 9;
const FINE_COARSE_FROM = 13;
const MANUAL = '/help/storage#map-layers';

type Props = Pick<OverlayState, 'switches'> & { map: MapLibreMap; fine: FineBase | null };

/** Hint that land is only approximate at this zoom, and how to install a finer map. */
export function CoarseHint({ map, switches, fine }: Props) {
  const from = fine ? FINE_COARSE_FROM : COARSE_FROM;
  const isClose = useCloserThan(map, from);
  const hasLand = switches.some(({ id, shown }) => id === 'base' && shown);
  const showsSiteLayer = switches.some(({ group, shown }) => group === texts.siteLayers && shown);
  if (!isClose || !hasLand || showsSiteLayer) return null;
  const offered = switches.some(({ group }) => group === texts.siteLayers);
  return (
    <Box
      role="note"
      sx={{
        position: 'absolute',
        right: 8,
        bottom: 54,
        px: 2,
        borderRadius: 1,
        border: 1,
        borderColor: 'surface.line',
        bgcolor: 'surface.panel',
        color: 'text.secondary',
        fontSize: 11,
        lineHeight: '18px',
        '@container (max-width: 320px)': { display: 'none' },
      }}
    >
      {texts.coarse}{' '}
      {offered ? (
        texts.coarseOffered
      ) : (
        <Link href={MANUAL} target="_blank" rel="noopener">
          {texts.coarseLink}
        </Link>
      )}
    </Box>
  );
}

function useCloserThan(map: MapLibreMap, zoom: number): boolean {
  const [isCloser, setCloser] = useState(() => map.getZoom() >= zoom);
  useEffect(() => {
    const update = () => setCloser(map.getZoom() >= zoom);
    update();
    map.on('zoomend', update);
    return () => {
      map.off('zoomend', update);
    };
  }, [map, zoom]);
  return isCloser;
}
