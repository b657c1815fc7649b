import { mdiMapMarkerOffOutline } from '@mdi/js';
import { Box } from '@mui/material';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { type ReactNode, useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { CrossHair } from '../ui/CrossHair.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useScheme } from '../ui/StateDot.tsx';
import { CentreModeMenu } from './CentreModeMenu.tsx';
import { CoarseHint } from './CoarseHint.tsx';
import { Credits } from './Credits.tsx';
import { MapHints } from './MapHints.tsx';
import { MapToolbar } from './MapToolbar.tsx';
import { CENTRE_MODES, type CentreMode, readMapProps, writeMapProps } from './map-storage.ts';
import type { Overlay } from './overlay.ts';
import type { OverlayHost } from './overlay-host.ts';
import { texts } from './texts.ts';
import { useFineBase } from './useFineBase.ts';
import { useFrameMap } from './useFrameMap.ts';
import { FILLS, MAP_SX } from './view.ts';

type Props = {
  /** Overlays, lowest first. Pass the same list as long as they do not change. */
  overlays: readonly Overlay[];
  /** False if there are no frames that the map could follow. */
  follows?: boolean;
  /** Buttons of the page in the upper right corner; the tools of the map are then below them. */
  corner?: ReactNode;
};

/** Map that follows the frames on screen, with overlays that the user can show and hide. */
export function MapPane({ overlays, follows = true, corner = null }: Props) {
  const scheme = useScheme();
  const container = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const [mode, setMode] = useState<CentreMode>(() => readMapProps().mapCenterMode);

  const chooseMode = useCallback((next: CentreMode) => {
    setMode(next);
    writeMapProps({ ...readMapProps(), mapCenterMode: next });
  }, []);
  const onMoved = useCallback(() => chooseMode(CENTRE_MODES.manual), [chooseMode]);
  const { live, failed, waits } = useFrameMap({ container, svg, overlays, scheme, mode, onMoved });

  return (
    <Box
      component="section"
      aria-label={texts.map}
      data-map={live ? 'ready' : 'waiting'}
      sx={{
        position: 'relative',
        // Makes the map a query container: its own width determines which tools have room, since the map may also float
        // as a small panel.
        containerType: 'inline-size',
        height: '100%',
        minHeight: 120,
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
      {follows && (
        <Box sx={{ position: 'absolute', top: 8, left: 8 }}>
          <CentreModeMenu mode={mode} onChoose={chooseMode} />
        </Box>
      )}
      {live && <CrossHair />}
      <MapHints map={live?.map ?? null} />
      {corner && <Box sx={{ position: 'absolute', top: 8, right: 8 }}>{corner}</Box>}
      {live && <OverlayTools map={live.map} host={live.host} topPx={corner ? 48 : 8} />}
    </Box>
  );
}

/** Tools that show and hide the overlays of a map, and name their sources. */
function OverlayTools({ map, host, topPx }: { map: MapLibreMap; host: OverlayHost; topPx: number }) {
  const state = useSyncExternalStore(host.subscribe, host.get);
  const fine = useFineBase();
  return (
    <>
      <Credits switches={state.switches} fine={fine} />
      <CoarseHint map={map} switches={state.switches} fine={fine} />
      <MapToolbar map={map} topPx={topPx} state={state} onToggle={host.toggle} onValue={host.setValue} />
    </>
  );
}
