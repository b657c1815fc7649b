import {
  mdiClose,
  mdiMapMarkerOutline,
  mdiRadiusOutline,
  mdiVectorPolygon,
  mdiVectorPolyline,
  mdiVectorSquare,
} from '@mdi/js';
import { Box, ToggleButton, ToggleButtonGroup, Tooltip } from '@mui/material';
import { type Annotation, FIND_RADIUS_MAX_M, FIND_WIDTH_MAX_M, type TargetShape } from '@osprey/contract';
import { polygonAreaSqKm } from '@osprey/geo';
import { useState } from 'react';
import { fill, formatArea, formatNumber } from '../../base/format.ts';
import { isCode } from '../../base/transport-error.ts';
import { formatPlace } from '../../base/units.ts';
import type { ShapeMode } from '../../map/draw/drawing.ts';
import { Action } from '../../ui/Action.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PlaceField } from './PlaceField.tsx';
import { texts } from './texts.ts';

type Props = {
  shape: TargetShape | null;
  mode: ShapeMode | 'static';
  annotation: { data: Annotation | undefined; error: unknown };
  onMode: (mode: ShapeMode) => void;
  onShape: (shape: TargetShape | null) => void;
};

const modes = [
  ['point', texts.modes.point, mdiMapMarkerOutline],
  ['rectangle', texts.modes.rectangle, mdiVectorSquare],
  ['polygon', texts.modes.polygon, mdiVectorPolygon],
  ['circle', texts.modes.circle, mdiRadiusOutline],
  ['line', texts.modes.line, mdiVectorPolyline],
] as const;

const hintOf = (mode: ShapeMode): string => texts.hints[mode];

/** Tools to enter the queried shape: by drawing, by typing, or by name. */
export function ShapeTools({ shape, mode, annotation, onMode, onShape }: Props) {
  return (
    <Box sx={{ p: 2, display: 'grid', gap: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={mode}
          aria-label={texts.tools}
          onChange={(_event, next: ShapeMode | null) => onMode(next ?? (mode as ShapeMode))}
        >
          {modes.map(([value, label, icon]) => (
            <ToggleButton key={value} value={value} aria-label={label} sx={{ px: 2 }}>
              <Tooltip title={label}>
                <span style={{ display: 'flex' }}>
                  <Icon path={icon} />
                </span>
              </Tooltip>
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <Box sx={{ flex: '1 1 240px' }}>
          <PlaceField onShape={onShape} />
        </Box>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', minHeight: 56, fontSize: 12 }}>
        {shape === null ? (
          <Box role="status" sx={{ color: 'text.secondary' }}>
            {mode === 'static' ? texts.startText : hintOf(mode)}
          </Box>
        ) : (
          <>
            <Box role="status" sx={{ fontWeight: 600 }}>
              {textOf(shape, annotation)}
            </Box>
            <Sized key={JSON.stringify(shape)} shape={shape} onShape={onShape} />
            <Action label={texts.clear} icon={mdiClose} onClick={() => onShape(null)} sx={{ width: 28, height: 28 }} />
            {mode !== 'static' && <Box sx={{ color: 'text.secondary' }}>{hintOf(mode)}</Box>}
          </>
        )}
      </Box>
    </Box>
  );
}

function textOf(shape: TargetShape, { data, error }: Props['annotation']): string {
  switch (shape.type) {
    case 'Point':
      return fill(texts.shapes.Point, { place: placeText(shape.coordinates) });
    case 'Polygon':
      return fill(texts.shapes.Polygon, { area: formatArea(polygonAreaSqKm(shape.coordinates[0])) });
    case 'Circle':
      return fill(texts.shapes.Circle, { radius: formatNumber(shape.radiusM), place: placeText(shape.centre) });
    case 'Corridor':
      return fill(texts.shapes.Corridor, { width: formatNumber(shape.widthM) });
    case 'Annotation':
      if (isCode(error, 'notFound')) return texts.annotationGone;
      return fill(texts.shapes.Annotation, { title: data?.title ?? '…' });
  }
}

const placeText = ([lon, lat]: readonly [number, number]): string => formatPlace({ lon, lat });

/**
 * Fields for the size of the shape. A point becomes a circle when a radius is entered, and a circle without one becomes
 * a point; a corridor has a width.
 */
function Sized({ shape, onShape }: { shape: TargetShape; onShape: (shape: TargetShape) => void }) {
  if (shape.type === 'Corridor') {
    return (
      <SizeField
        label={texts.width}
        value={shape.widthM}
        range={[1, FIND_WIDTH_MAX_M]}
        wrong={fill(texts.widthWrong, { most: formatNumber(FIND_WIDTH_MAX_M) })}
        onChange={(widthM) => onShape({ ...shape, widthM })}
      />
    );
  }
  if (shape.type !== 'Point' && shape.type !== 'Circle') return null;
  const centre = shape.type === 'Point' ? shape.coordinates : shape.centre;
  return (
    <SizeField
      label={texts.radius}
      value={shape.type === 'Point' ? 0 : shape.radiusM}
      range={[0, FIND_RADIUS_MAX_M]}
      wrong={fill(texts.radiusWrong, { most: formatNumber(FIND_RADIUS_MAX_M) })}
      onChange={(radiusM) =>
        onShape(radiusM === 0 ? { type: 'Point', coordinates: centre } : { type: 'Circle', centre, radiusM })
      }
    />
  );
}

type SizeProps = {
  label: string;
  value: number;
  range: readonly [least: number, most: number];
  wrong: string;
  onChange: (metres: number) => void;
};

function SizeField({ label, value, range: [least, most], wrong, onChange }: SizeProps) {
  const [text, setText] = useState(String(value));
  const metres = Number(text.trim().replace(',', '.') || Number.NaN);
  const isGood = metres >= least && metres <= most;
  const applyTyped = () => isGood && metres !== value && onChange(metres);
  return (
    <Field
      label={label}
      value={text}
      problem={isGood ? undefined : wrong}
      onChange={(event) => setText(event.target.value)}
      onBlur={applyTyped}
      onKeyDown={(event) => event.key === 'Enter' && applyTyped()}
      slotProps={{ htmlInput: { inputMode: 'decimal' } }}
      sx={{ width: 140 }}
    />
  );
}
