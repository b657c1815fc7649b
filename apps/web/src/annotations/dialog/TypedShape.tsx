import { Box, Button, MenuItem } from '@mui/material';
import type { AnnotationFeature } from '@osprey/contract';
import { parsePlace } from '@osprey/geo';
import { useState } from 'react';
import { fill } from '../../base/format.ts';
import type { Editor } from '../../map/draw/editor.ts';
import { circle, type Place, placeNear, rectangle, rings, sector } from '../../map/draw/figures.ts';
import { Field } from '../../ui/fields/Field.tsx';
import { fromUnit, type LengthUnit } from '../draw/measure.ts';
import { texts } from '../texts.ts';

const words = texts.panel;
type Kind = keyof typeof words.typedKinds;
const kinds = Object.keys(words.typedKinds) as Kind[];
const least: Record<Kind, number> = { polygon: 3, rectangle: 2, line: 2, point: 1, circle: 1, rings: 1, sector: 1 };
/** Figures that require exactly this number of positions. */
const most: Partial<Record<Kind, number>> = { rectangle: 2, circle: 1, rings: 1, sector: 1 };
/** Functions that build figures from a centre and a radius. */
const figures = { circle, rings, sector };
const isFigure = (kind: Kind): kind is keyof typeof figures => kind in figures;

/** Form to add a shape without a pointing device, by typing its positions, one per line. */
export function TypedShape({ editor, unit }: { editor: Editor; unit: LengthUnit }) {
  const [text, setText] = useState('');
  const [kind, setKind] = useState<Kind>('polygon');
  const [radius, setRadius] = useState('1');
  const [problem, setProblem] = useState<string | null>(null);

  function add() {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const places: Place[] = [];
    for (const [index, line] of lines.entries()) {
      const point = parsePlace(line);
      if (point === null) return setProblem(fill(words.typedWrong, { line: index + 1 }));
      places.push(placeNear(point, places.at(-1) ?? [point.lon]));
    }
    if (places.length < least[kind] || places.length > (most[kind] ?? Infinity))
      return setProblem(words.typedFew[kind]);
    const metres = fromUnit(Number(radius.replace(',', '.')), unit);
    if (isFigure(kind) && !(metres > 0 && metres < 20_000_000)) return setProblem(words.wrongNumber);
    const feature = featureOf(kind, places, metres);
    if (!editor.draw(feature)) return setProblem(texts.draw.crosses);
    setText('');
    setProblem(null);
  }

  return (
    <Box
      component="details"
      sx={{ '& > summary': { cursor: 'pointer', fontSize: 12, fontWeight: 500, color: 'text.secondary' } }}
    >
      <summary>{words.typed}</summary>
      <Box sx={{ display: 'grid', gap: 2, mt: 2 }}>
        <Field
          label={words.typed}
          multiline
          minRows={3}
          maxRows={8}
          value={text}
          help={words.typedHelp}
          problem={problem ?? undefined}
          onChange={(event) => setText(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 20_000 } }}
        />
        <Field select label={words.typedAs} value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
          {kinds.map((one) => (
            <MenuItem key={one} value={one}>
              {words.typedKinds[one]}
            </MenuItem>
          ))}
        </Field>
        {isFigure(kind) && (
          <Field
            label={`${words.radius} (${unit})`}
            value={radius}
            onChange={(event) => setRadius(event.target.value)}
            slotProps={{ htmlInput: { maxLength: 12 } }}
          />
        )}
        <Button onClick={add}>{words.typedAdd}</Button>
      </Box>
    </Box>
  );
}

function featureOf(kind: Kind, places: Place[], metres: number): AnnotationFeature {
  const [first = [0, 0], second = first] = places;
  if (isFigure(kind)) return figures[kind](first, metres);
  if (kind === 'rectangle') {
    const geometry = { type: 'Polygon' as const, coordinates: rectangle(first, second) };
    return { type: 'Feature', properties: { shape: 'rectangle' }, geometry };
  }
  const properties = {};
  if (kind === 'line') return { type: 'Feature', properties, geometry: { type: 'LineString', coordinates: places } };
  if (kind === 'polygon') {
    return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [[...places, first]] } };
  }
  return places.length === 1
    ? { type: 'Feature', properties, geometry: { type: 'Point', coordinates: first } }
    : { type: 'Feature', properties, geometry: { type: 'MultiPoint', coordinates: places } };
}
