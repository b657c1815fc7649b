import { Box } from '@mui/material';
import { withNarrowEdges } from '@osprey/geo';
import { useEffect, useState } from 'react';
import { Field } from '../../ui/fields/Field.tsx';
import { texts } from '../texts.ts';
import type { AreaPolygon } from './area.ts';

type Props = { value: AreaPolygon | null; onChange: (polygon: AreaPolygon | null) => void };

type Borders = { west: string; south: string; east: string; north: string };

const names = [
  ['west', texts.west],
  ['south', texts.south],
  ['east', texts.east],
  ['north', texts.northBorder],
] as const;

const NOTHING: Borders = { west: '', south: '', east: '', north: '' };

/** Fields to enter an area without a pointing device, by its four borders in degrees. */
export function BorderFields({ value, onChange }: Props) {
  const [typed, setTyped] = useState<Borders>(() => bordersOf(value));
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    setTyped(bordersOf(value));
    setWrong(false);
  }, [value]);

  function applyTyped() {
    if (Object.values(typed).some((text) => text.trim() === '')) return setWrong(false);
    const polygon = rectangleOf(typed);
    setWrong(polygon === null);
    if (polygon && JSON.stringify(bordersOf(polygon)) !== JSON.stringify(bordersOf(value))) onChange(polygon);
  }

  return (
    <Box role="group" aria-label={texts.drawNoKeyboard} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {names.map(([border, label]) => (
        <Field
          key={border}
          label={label}
          value={typed[border]}
          {...(wrong && border === 'west' ? { problem: texts.bordersWrong } : {})}
          onChange={(event) => setTyped({ ...typed, [border]: event.target.value })}
          onBlur={applyTyped}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            applyTyped();
          }}
          sx={{ width: 120 }}
        />
      ))}
    </Box>
  );
}

function bordersOf(value: AreaPolygon | null): Borders {
  const ring = value?.coordinates[0] ?? [];
  if (ring.length === 0) return NOTHING;
  const lons = ring.map(([lon = 0]) => lon);
  const lats = ring.map(([, lat = 0]) => lat);
  const text = (degrees: number) => String(Number(degrees.toFixed(5)));
  return {
    west: text(Math.min(...lons)),
    south: text(Math.min(...lats)),
    east: text(Math.max(...lons)),
    north: text(Math.max(...lats)),
  };
}

/** Returns the rectangle within the borders; null if they enclose no area. */
export function rectangleOf({ west, south, east, north }: Borders): AreaPolygon | null {
  const [w, s, e, n] = [west, south, east, north].map(Number) as [number, number, number, number];
  const isLon = (lon: number) => lon >= -180 && lon <= 180;
  if (![w, s, e, n].every(Number.isFinite) || !isLon(w) || !isLon(e) || s < -90 || n > 90) return null;
  if (s >= n || w >= e) return null;
  return {
    type: 'Polygon',
    coordinates: [
      withNarrowEdges([
        [w, s],
        [e, s],
        [e, n],
        [w, n],
        [w, s],
      ]),
    ],
  };
}
