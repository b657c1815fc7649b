import {
  mdiCircleOutline,
  mdiContentCopy,
  mdiCrosshairsGps,
  mdiCursorDefaultOutline,
  mdiMapMarkerOffOutline,
  mdiMapMarkerOutline,
  mdiRedo,
  mdiRuler,
  mdiTarget,
  mdiTrashCanOutline,
  mdiUndo,
  mdiVectorPolygon,
  mdiVectorPolyline,
  mdiVectorSquare,
  mdiWifi,
} from '@mdi/js';
import { Box, Button, Divider } from '@mui/material';
import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { fill } from '../../base/format.ts';
import { formatPlace } from '../../base/units.ts';
import type { Editor, Tool } from '../../map/draw/editor.ts';
import { type Place as GeoPlace, pointOf } from '../../map/draw/figures.ts';
import { boundsOf } from '../../map/draw/geometry.ts';
import { readMapProps } from '../../map/map-storage.ts';
import { openOnSite } from '../../map/site-extent.ts';
import { useStartedMap } from '../../map/useStartedMap.ts';
import { FILLS, MAP_SX } from '../../map/view.ts';
import { Action } from '../../ui/Action.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/notice/Notice.tsx';
import { useScheme } from '../../ui/StateDot.tsx';
import type { MapPlace } from '../draw/map-place.ts';
import type { DrawMap } from '../draw/start-map.ts';
import { texts } from '../texts.ts';
import { ANNOTATION_SHAPES } from './limits.ts';
import { ShapePanel } from './ShapePanel.tsx';

type Props = {
  editor: Editor;
  place: MapPlace;
  onPlace: (place: MapPlace) => void;
  readOnly: boolean;
  /** Whether the tab is shown; only then does the map have a size. */
  visible: boolean;
};

const words = texts.draw;

const drawing: readonly [Exclude<Tool, 'select' | 'measure'>, string][] = [
  ['rectangle', mdiVectorSquare],
  ['polygon', mdiVectorPolygon],
  ['line', mdiVectorPolyline],
  ['point', mdiMapMarkerOutline],
  ['circle', mdiCircleOutline],
  ['rings', mdiTarget],
  ['sector', mdiWifi],
];

/** Tab with a map to draw on, its tools, and the list of shapes next to it. */
export function MapTab({ editor, place, onPlace, readOnly, visible }: Props) {
  const scheme = useScheme();
  const pointer = useRef<HTMLSpanElement>(null);
  const [begun, setBegun] = useState(visible);
  const now = useRef({ place, onPlace });
  now.current = { place, onPlace };
  const state = useSyncExternalStore(editor.subscribe, editor.get);
  if (visible && !begun) setBegun(true);

  const {
    container,
    drawing: live,
    failed,
  } = useStartedMap(
    async (element) => {
      const { startDrawMap } = await import('../draw/start-map.ts');
      return startDrawMap({ container: element, scheme, editor, now, pointer });
    },
    begun ? scheme : null,
  );

  useEffect(() => {
    if (visible) live?.map.resize();
  }, [visible, live]);
  useEffect(() => live?.drawing.setUnit(place.unit), [live, place.unit]);

  function sync() {
    const { center, zoom, moved } = readMapProps();
    if (moved) live?.map.jumpTo({ center, zoom });
    else if (live) openOnSite(live.map);
  }

  function copy() {
    const bounds = live?.map.getBounds();
    editor.copy(bounds ? (bounds.getEast() - bounds.getWest()) / 40 : 0.01);
  }

  function onKeyDown(event: KeyboardEvent) {
    const isField = (event.target as Element).closest('input, textarea, [role="combobox"], [role="slider"]') !== null;
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const act = (then: () => void) => {
      then();
      return true;
    };
    const done = (() => {
      if (isCommand && key === 'z' && !isField) return act(event.shiftKey ? editor.redo : editor.undo);
      if (isField || isCommand) return false;
      if (event.key === 'Escape') return editor.cancel();
      if (readOnly) return false;
      if (event.key === 'Enter' && event.target instanceof HTMLCanvasElement) return editor.finish();
      return event.key === 'Delete' || event.key === 'Backspace' ? act(editor.remove) : false;
    })();
    if (!done) return;
    // Escape ends the drawing and must not close the dialog; Enter must not submit it.
    event.stopPropagation();
    event.preventDefault();
  }

  const showShape = () => {
    const own = editor.chosenShape();
    const bounds = own && boundsOf([own.feature]);
    if (bounds) live?.show(bounds);
  };

  const message =
    state.refused === 'crosses'
      ? words.crosses
      : state.refused === 'tooMany'
        ? fill(words.tooMany, { count: ANNOTATION_SHAPES })
        : words.hints[state.tool];
  const tool = (name: Tool, icon: string) => (
    <Action
      key={name}
      side="right"
      label={words[name]}
      icon={icon}
      on={state.tool === name}
      disabled={readOnly && name !== 'select' && name !== 'measure'}
      onClick={() => editor.setTool(name)}
      sx={{ width: 32, height: 32 }}
    />
  );

  return (
    <Box
      onKeyDown={onKeyDown}
      sx={{
        height: '100%',
        minHeight: 0,
        display: 'flex',
        flexDirection: { xs: 'column', md: 'row' },
        overflowY: { xs: 'auto', md: 'hidden' },
      }}
    >
      <Box
        data-map={live ? 'ready' : 'waiting'}
        sx={{
          ...MAP_SX,
          position: 'relative',
          flex: { xs: 'none', md: 1 },
          height: { xs: 420, md: 'auto' },
          minWidth: 0,
          overflow: 'hidden',
          bgcolor: 'surface.base',
        }}
      >
        <section ref={container} aria-label={words.map} style={FILLS} />
        {failed && <Notice failed icon={mdiMapMarkerOffOutline} title={words.failed} />}
        <Box
          role="toolbar"
          aria-label={words.tools}
          aria-orientation="vertical"
          sx={{
            position: 'absolute',
            top: 10,
            left: 10,
            display: 'grid',
            // Touch screens need larger buttons, which would not fit into one column.
            gridTemplateColumns: { xs: 'auto auto', md: 'auto' },
            gap: 0.5,
            p: 0.5,
            maxHeight: 'calc(100% - 56px)',
            overflowY: 'auto',
            borderRadius: 1.5,
            border: 1,
            borderColor: 'surface.line',
            bgcolor: 'surface.panel',
          }}
        >
          {tool('select', mdiCursorDefaultOutline)}
          {drawing.map(([name, icon]) => tool(name, icon))}
          <Divider sx={{ gridColumn: '1 / -1' }} />
          {tool('measure', mdiRuler)}
          <Action
            side="right"
            label={words.undo}
            icon={mdiUndo}
            disabled={!state.canUndo && state.path.length === 0}
            onClick={editor.undo}
            sx={{ width: 32, height: 32 }}
          />
          <Action
            side="right"
            label={words.redo}
            icon={mdiRedo}
            disabled={!state.canRedo}
            onClick={editor.redo}
            sx={{ width: 32, height: 32 }}
          />
          <Action
            side="right"
            label={words.copy}
            icon={mdiContentCopy}
            disabled={readOnly || state.chosen === null}
            onClick={copy}
            sx={{ width: 32, height: 32 }}
          />
          <Action
            side="right"
            label={words.remove}
            icon={mdiTrashCanOutline}
            disabled={readOnly || state.chosen === null}
            onClick={editor.removeShape}
            sx={{ width: 32, height: 32 }}
          />
        </Box>
        <Button
          startIcon={<Icon path={mdiCrosshairsGps} />}
          onClick={sync}
          disabled={live === null}
          sx={{
            position: 'absolute',
            top: 10,
            right: 10,
            bgcolor: 'surface.panel',
            '&:hover': { bgcolor: 'surface.hover' },
          }}
        >
          {words.sync}
        </Button>
        <Box
          sx={{
            position: 'absolute',
            left: 10,
            right: 130,
            bottom: 10,
            display: 'grid',
            gap: 1,
            justifyItems: 'start',
            pointerEvents: 'none',
            fontSize: 12,
            '& > *': {
              px: 2,
              py: 0.5,
              borderRadius: 1,
              border: 1,
              borderColor: 'surface.line',
              bgcolor: 'surface.panel',
            },
          }}
        >
          <Box role="status" sx={{ color: state.refused ? 'warning.main' : 'text.secondary' }}>
            {message}
          </Box>
          <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
            <Box component="span" sx={{ color: 'text.secondary', mr: 2 }}>
              {words.pointer}
            </Box>
            <span ref={pointer} role="note" aria-label={words.pointer}>
              {formatPlace(pointOf(centreOf(live, place)))}
            </span>
          </Box>
        </Box>
      </Box>
      <ShapePanel
        editor={editor}
        state={state}
        unit={place.unit}
        onUnit={(unit) => onPlace({ ...place, unit })}
        readOnly={readOnly}
        onShow={showShape}
      />
    </Box>
  );
}

const centreOf = (live: DrawMap | null, { center }: MapPlace): GeoPlace => {
  const at = live?.map.getCenter();
  return at ? [at.lng, at.lat] : (center ?? readMapProps().center);
};
