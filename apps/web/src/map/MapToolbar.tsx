import {
  mdiDotsVertical,
  mdiFitToScreenOutline,
  mdiLayersOutline,
  mdiMinus,
  mdiNavigation,
  mdiPlus,
  mdiSelectSearch,
} from '@mdi/js';
import { Box } from '@mui/material';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { useContext, useEffect, useState } from 'react';
import { size, TOUCH_SCREEN } from '../base/sizes.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { Action } from '../ui/Action.tsx';
import { leadingFrame } from './follow.ts';
import { LayersMenu } from './LayersMenu.tsx';
import { MapQueryMenu } from './MapQueryMenu.tsx';
import { CONTROL_MODES, MapQueryContext } from './map-query.ts';
import type { OverlayState } from './overlay-host.ts';
import { texts } from './texts.ts';
import { fitFrame } from './useFrameMap.ts';
import { useHoverOpen } from './useHoverOpen.ts';

type Props = {
  map: MapLibreMap;
  /** Distance from the upper edge of the map, in px. */
  topPx: number;
  state: OverlayState;
  onToggle: (id: string) => void;
  onValue: (id: string, value: number) => void;
};

const small = { width: 28, height: 28 } as const;
const tool = { side: 'left', pressThrough: true, sx: small } as const;

/**
 * Toolbar on the right of the map. It opens on hover, focus or tap, and closes a second after the pointer has left it,
 * or on a tap elsewhere.
 */
export function MapToolbar({ map, topPx, state, onToggle, onValue }: Props) {
  const { frames, clock } = useViewServices();
  const { open, element, handlers } = useHoverOpen();
  const [menu, setMenu] = useState<HTMLElement | null>(null);
  const [queryMenu, setQueryMenu] = useState<HTMLElement | null>(null);
  const query = useContext(MapQueryContext);
  const bearing = useBearing(map);
  const fit = () => fitFrame(map, leadingFrame({ frames, clock }), null);

  return (
    <Box
      ref={element}
      role="toolbar"
      aria-label={texts.toolbar}
      aria-orientation="vertical"
      data-open={open}
      {...handlers}
      sx={{
        position: 'absolute',
        top: topPx,
        right: 8,
        display: 'grid',
        // On a small map the buttons stand in several columns.
        gridAutoFlow: 'column',
        gridTemplateRows: 'repeat(auto-fit, 28px)',
        [TOUCH_SCREEN]: { gridTemplateRows: `repeat(auto-fit, ${size.touch}px)` },
        maxHeight: `calc(100% - ${topPx + 8}px)`,
        gap: 0.5,
        p: 0.5,
        borderRadius: 1,
        border: 1,
        borderColor: 'surface.line',
        bgcolor: 'surface.panel',
      }}
    >
      {!open && <Action {...tool} label={texts.openToolbar} icon={mdiDotsVertical} aria-expanded={false} />}
      {open && (
        <>
          <Action
            {...tool}
            label={texts.layersTitle}
            icon={mdiLayersOutline}
            aria-haspopup="menu"
            onClick={(event) => setMenu(event.currentTarget)}
          />
          {query && (
            <Action
              {...tool}
              label={texts.query.title}
              icon={mdiSelectSearch}
              on={query.mode !== CONTROL_MODES.none}
              aria-haspopup="menu"
              onClick={(event) => {
                setQueryMenu(event.currentTarget);
                // Load the code before a mode is chosen, since clicks before it is loaded would be lost.
                import('./draw/drawing.ts').catch(() => undefined);
              }}
            />
          )}
          {state.buttons.map(({ id, title, icon, shown, busy }) => (
            <Action
              {...tool}
              key={id}
              label={title}
              icon={icon}
              on={shown}
              aria-busy={busy}
              onClick={() => onToggle(id)}
            />
          ))}
          <Action {...tool} label={texts.fit} icon={mdiFitToScreenOutline} onClick={fit} />
          <Action {...tool} label={texts.zoomIn} icon={mdiPlus} onClick={() => map.zoomIn()} />
          <Action {...tool} label={texts.zoomOut} icon={mdiMinus} onClick={() => map.zoomOut()} />
        </>
      )}
      {Math.abs(bearing) > 0.5 && (
        <Action
          {...tool}
          label={texts.north}
          icon={mdiNavigation}
          onClick={() => map.resetNorth()}
          sx={{ ...small, '& svg': { transform: `rotate(${-bearing}deg)` } }}
        />
      )}
      <LayersMenu anchor={menu} state={state} onToggle={onToggle} onValue={onValue} onClose={() => setMenu(null)} />
      {query && <MapQueryMenu {...query} anchor={queryMenu} onClose={() => setQueryMenu(null)} />}
    </Box>
  );
}

function useBearing(map: MapLibreMap): number {
  const [bearing, setBearing] = useState(() => map.getBearing());
  useEffect(() => {
    const update = () => setBearing(map.getBearing());
    map.on('rotate', update);
    return () => void map.off('rotate', update);
  }, [map]);
  return bearing;
}
