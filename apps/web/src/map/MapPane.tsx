import { mdiMapMarkerOffOutline } from '@mdi/js';
import { Box } from '@mui/material';
import type { Mission } from '@osprey/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Notice } from '../ui/notice/Notice.tsx';
import { useScheme } from '../ui/StateDot.tsx';
import { CentreModeMenu } from './CentreModeMenu.tsx';
import { MapHints } from './MapHints.tsx';
import { MapToolbar } from './MapToolbar.tsx';
import {
  CENTRE_MODES,
  type CentreMode,
  type Layer,
  readLayers,
  readMapProps,
  readMapSettings,
  writeLayers,
  writeMapProps,
  writeMapSettings,
} from './map-storage.ts';
import { DATA_LAYERS, type DataLayer, isDataLayer } from './overlays/data-layer-names.ts';
import { SiteCredits } from './overlays/SiteCredits.tsx';
import { useDataLayers } from './overlays/useDataLayers.ts';
import { useSiteLayers } from './overlays/useSiteLayers.ts';
import { texts } from './texts.ts';
import { type StartLayer, useFrameMap } from './useFrameMap.ts';
import { FILLS, MAP_SX } from './view.ts';

type Props = {
  /** What is drawn with the frames on screen; stays the same function while the same things are drawn. */
  startLayer: StartLayer;
  /** #rrggbb of what the server knows of the whole mission. */
  colour: string;
  /** Null where there is no recording to ask for its area, path and heat map. */
  mission: Mission | null;
};

/** A map that follows frames: base map, what they show, and what the server knows of the whole recording. */
export function MapPane({ startLayer, colour, mission }: Props) {
  const scheme = useScheme();
  const container = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const [mode, setMode] = useState<CentreMode>(() => readMapProps().mapCenterMode);
  const [layers, setLayers] = useState(readLayers);
  const [trailSeconds, setTrailSeconds] = useState(() => readMapSettings().trailSeconds);

  const chooseMode = useCallback((next: CentreMode) => {
    setMode(next);
    writeMapProps({ ...readMapProps(), mapCenterMode: next });
  }, []);
  const onMoved = useCallback(() => chooseMode(CENTRE_MODES.manual), [chooseMode]);
  const { live, failed, waits } = useFrameMap({ container, svg, startLayer, colour, scheme, mode, onMoved });
  const switchOff = useCallback((layer: DataLayer) => setLayers((before) => ({ ...before, [layer]: false })), []);
  const site = useSiteLayers(live?.setSiteLayers ?? null);
  const data = useDataLayers(live?.setData ?? null, mission, switchOff);

  useEffect(() => {
    live?.setLayers(layers);
    writeLayers(layers);
  }, [live, layers]);
  useEffect(() => live?.setTrail(trailSeconds), [live, trailSeconds]);
  useEffect(() => {
    for (const layer of DATA_LAYERS) if (!layers[layer] && data.shown.has(layer)) data.turnOff(layer);
  }, [layers, data]);

  function toggle(layer: Layer) {
    setLayers((before) => ({ ...before, [layer]: !before[layer] }));
    if (isDataLayer(layer) && !layers[layer]) data.turnOn(layer);
  }

  return (
    <Box
      component="section"
      aria-label={texts.map}
      data-map={live ? 'ready' : 'waiting'}
      sx={{
        position: 'relative',
        // Its own width decides what its tools have room for: it also floats, small.
        containerType: 'inline-size',
        height: '100%',
        minHeight: 160,
        overflow: 'hidden',
        bgcolor: 'surface.base',
        ...MAP_SX,
        '& .maplibregl-ctrl-bottom-right': { bottom: 18 },
      }}
    >
      <div ref={container} style={FILLS} />
      <Box
        component="svg"
        ref={svg}
        role="group"
        aria-label={texts.live}
        sx={{ position: 'absolute', inset: 0, width: '100%', height: '100%', pointerEvents: 'none' }}
      />
      {(failed || waits) && (
        <Box sx={{ position: 'absolute', inset: 0, display: 'grid', placeItems: 'center' }}>
          {failed ? (
            <Notice failed icon={mdiMapMarkerOffOutline} title={texts.failed} text={texts.failedText} />
          ) : (
            <Box sx={{ color: 'text.secondary', fontSize: 12 }}>{texts.waits}</Box>
          )}
        </Box>
      )}
      <Box sx={{ position: 'absolute', top: 8, left: 8 }}>
        <CentreModeMenu mode={mode} onChoose={chooseMode} />
      </Box>
      <MapHints map={live?.map ?? null} />
      <SiteCredits layers={site.shown} />
      {live && (
        <MapToolbar
          map={live.map}
          layers={layers}
          recorded={mission !== null}
          busy={data.busy}
          site={site}
          onToggle={toggle}
          trailSeconds={trailSeconds}
          onTrail={(seconds) => {
            setTrailSeconds(seconds);
            writeMapSettings({ trailSeconds: seconds });
          }}
        />
      )}
    </Box>
  );
}
