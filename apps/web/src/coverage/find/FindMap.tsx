import { mdiMapMarkerOffOutline } from '@mdi/js';
import { Box } from '@mui/material';
import type { FoundSpan, TargetShape } from '@osprey/contract';
import { useEffect, useRef } from 'react';
import type { ShapeMode } from '../../map/draw/drawing.ts';
import { texts as mapTexts } from '../../map/texts.ts';
import { useStartedMap } from '../../map/useStartedMap.ts';
import { FILLS, MAP_SX } from '../../map/view.ts';
import { Notice } from '../../ui/notice/Notice.tsx';
import { useScheme } from '../../ui/StateDot.tsx';
import type { ShownShape } from './find-shapes.ts';
import { texts } from './texts.ts';

type Props = {
  mode: ShapeMode | 'static';
  shown: ShownShape | null;
  spans: readonly FoundSpan[];
  chosen: FoundSpan | null;
  onDrawn: (shape: TargetShape) => void;
};

/** Map on which the user draws the queried shape, and which shows the footprints that were found. */
export function FindMap({ mode, shown, spans, chosen, onDrawn }: Props) {
  const scheme = useScheme();
  const now = useRef({ scheme, onDrawn });
  now.current = { scheme, onDrawn };
  /** The shape that was drawn on this map; for it, the map does not move. */
  const own = useRef<TargetShape | null>(null);
  const {
    container,
    drawing: drawn,
    failed,
  } = useStartedMap(async (element) => {
    const { startFindMap } = await import('./find-map.ts');
    return startFindMap({
      container: element,
      scheme: now.current.scheme,
      onDrawn(shape) {
        own.current = shape;
        now.current.onDrawn(shape);
      },
    });
  });

  useEffect(() => drawn?.setScheme(scheme), [drawn, scheme]);
  useEffect(() => drawn?.setMode(mode), [drawn, mode]);
  const text = JSON.stringify(shown?.shape ?? null);
  const features = shown?.features;
  useEffect(() => {
    const shape: TargetShape | null = JSON.parse(text);
    const isOwn = JSON.stringify(own.current) === text;
    drawn?.show(shape && { shape, features: features ?? [] }, !isOwn);
  }, [drawn, text, features]);
  useEffect(() => drawn?.showFound(spans, chosen), [drawn, spans, chosen]);

  return (
    <Box
      data-map={drawn ? 'ready' : 'waiting'}
      sx={{
        ...MAP_SX,
        position: 'relative',
        flex: 1,
        minHeight: { xs: '40dvh', md: 240 },
        overflow: 'hidden',
        bgcolor: 'surface.base',
      }}
    >
      <section ref={container} aria-label={texts.map} style={FILLS} />
      {failed && <Notice failed icon={mdiMapMarkerOffOutline} title={mapTexts.failed} />}
    </Box>
  );
}
