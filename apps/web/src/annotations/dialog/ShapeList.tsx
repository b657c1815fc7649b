import {
  mdiCircleOutline,
  mdiMapMarkerOutline,
  mdiTarget,
  mdiVectorPolygon,
  mdiVectorPolyline,
  mdiVectorSquare,
  mdiVectorUnion,
  mdiWifi,
} from '@mdi/js';
import { Box, ButtonBase } from '@mui/material';
import type { AnnotationFeature } from '@osprey/contract';
import { useEffect, useRef } from 'react';
import { plainText } from '../../base/format.ts';
import { type EditorState, firstStyle } from '../../map/draw/editor.ts';
import { Icon } from '../../ui/Icon.tsx';
import { type LengthUnit, sizeText } from '../draw/measure.ts';
import { texts } from '../texts.ts';

const words = texts.panel;

type Kind = keyof typeof words.kinds;

const kindIcons: Record<Kind, string> = {
  rectangle: mdiVectorSquare,
  polygon: mdiVectorPolygon,
  line: mdiVectorPolyline,
  point: mdiMapMarkerOutline,
  circle: mdiCircleOutline,
  rings: mdiTarget,
  sector: mdiWifi,
  several: mdiVectorUnion,
};

function kindOf({ geometry, properties }: AnnotationFeature): Kind {
  if (properties.shape !== undefined) return properties.shape;
  if (geometry.type === 'Polygon') return 'polygon';
  if (geometry.type === 'LineString') return 'line';
  return geometry.type === 'Point' ? 'point' : 'several';
}

const nameOf = (feature: AnnotationFeature): string =>
  plainText(feature.properties.featureTitle || feature.properties.title || words.kinds[kindOf(feature)]);

/** Maximum number of shapes listed; with a thousand shapes the list would be slower than the map. */
const LISTED = 200;

type Props = {
  state: Pick<EditorState, 'shapes' | 'chosen'>;
  unit: LengthUnit;
  onChoose: (id: number) => void;
};

/** Lists the shapes that have been drawn, with their sizes; scrolls to the selected one. */
export function ShapeList({ state, unit, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.chosen !== null)
      list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [state.chosen]);
  return (
    <Box
      ref={list}
      role="listbox"
      aria-label={words.shapes}
      sx={{ display: 'grid', gap: 0.5, maxHeight: 180, overflowY: 'auto', flex: 'none' }}
    >
      {state.shapes.slice(0, LISTED).map(({ id, feature }) => (
        <ButtonBase
          key={id}
          role="option"
          aria-selected={id === state.chosen}
          onClick={() => onChoose(id)}
          sx={{
            display: 'flex',
            gap: 2,
            px: 1.5,
            py: 1,
            borderRadius: 1,
            textAlign: 'left',
            bgcolor: id === state.chosen ? 'surface.selected' : 'transparent',
            '&:hover': { bgcolor: id === state.chosen ? 'surface.selected' : 'surface.hover' },
          }}
        >
          <Icon path={kindIcons[kindOf(feature)]} style={{ color: feature.properties.stroke ?? firstStyle.stroke }} />
          <Box
            component="span"
            sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
          >
            {nameOf(feature)}
          </Box>
          <Box component="span" sx={{ color: 'text.secondary', fontSize: 12, flex: 'none' }}>
            {feature.geometry.type === 'Point' ? '' : sizeText(feature, unit)}
          </Box>
        </ButtonBase>
      ))}
    </Box>
  );
}
