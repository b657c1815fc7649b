import { Box } from '@mui/material';
import { fill } from '../../base/format.ts';
import { milesOf, milesText } from '../miles.ts';
import { farthestSector, ringsOf, SECTOR_DEG, type Sectors, sectorText } from './sectors.ts';
import { rangeTexts as texts } from './texts.ts';

const SIZE = 320;
const MIDDLE = SIZE / 2;
/** Radius of the plot in pixels, which leaves room for the letters of the compass. */
const RADIUS = MIDDLE - 18;

/** Returns the point of the drawing at a bearing (degrees) and a distance from the middle (pixels). */
function at(bearing: number, distance: number): [number, number] {
  const radians = (bearing * Math.PI) / 180;
  return [MIDDLE + Math.sin(radians) * distance, MIDDLE - Math.cos(radians) * distance];
}

const point = ([x, y]: [number, number]): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** Returns the path of a sector, from the middle to the distance of its farthest ship. */
function wedge(sector: number, radius: number): string {
  const [from, to] = [sector * SECTOR_DEG, (sector + 1) * SECTOR_DEG];
  const r = radius.toFixed(1);
  return `M${MIDDLE} ${MIDDLE}L${point(at(from, radius))}A${r} ${r} 0 0 1 ${point(at(to, radius))}Z`;
}

/**
 * Polar plot of a receiver's range. North is up, and the rings are labelled in nautical miles. The table next to the
 * plot contains the same figures.
 */
export function PolarPlot({ sectors }: { sectors: Sectors }) {
  const rings = ringsOf(sectors);
  const scale = RADIUS / (rings.at(-1) ?? 1);
  const best = farthestSector(sectors);
  const farthest = best
    ? fill(texts.farthest, { distance: milesText(best.ship.metres, 1), sector: sectorText(best.sector) })
    : '';
  const count = sectors.filter((ship) => ship !== null).length;
  const { n, e, s, w } = texts.compass;
  return (
    <Box
      component="svg"
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="img"
      aria-label={fill(texts.plot, { farthest, count })}
      sx={{
        ...{ width: '100%', maxWidth: 360, aspectRatio: '1', color: 'text.secondary', fontSize: 11 },
        '& .grid': { fill: 'none', stroke: 'currentColor', strokeOpacity: 0.45, strokeWidth: 1 },
        '& .heard': { color: 'primary.main', fill: 'currentColor', fillOpacity: 0.35, stroke: 'currentColor' },
        '& text': { fill: 'currentColor' },
      }}
    >
      {rings.map((miles) => (
        <circle key={miles} className="grid" cx={MIDDLE} cy={MIDDLE} r={miles * scale} />
      ))}
      <path
        className="grid"
        d={`M${MIDDLE} ${MIDDLE - RADIUS}v${2 * RADIUS}M${MIDDLE - RADIUS} ${MIDDLE}h${2 * RADIUS}`}
      />
      {sectors.map(
        (ship, sector) =>
          ship && (
            <path key={sector} className="heard" data-sector={sector} d={wedge(sector, milesOf(ship.metres) * scale)} />
          ),
      )}
      {rings.map((miles) => (
        <text key={miles} x={MIDDLE + 3} y={MIDDLE - miles * scale + 12}>
          {miles}
        </text>
      ))}
      <text x={MIDDLE} y={12} textAnchor="middle">
        {n}
      </text>
      <text x={SIZE - 2} y={MIDDLE + 4} textAnchor="end">
        {e}
      </text>
      <text x={MIDDLE} y={SIZE - 4} textAnchor="middle">
        {s}
      </text>
      <text x={2} y={MIDDLE + 4}>
        {w}
      </text>
    </Box>
  );
}
