import { type DocumentGeometry, documentGeometry, GEOMETRY_VERTICES_MAX } from '@osprey/contract';
import { areaPieces, outlineFault, type Position, ringsAsDrawn, splitLineAtAntimeridian, wrapLon } from '@osprey/geo';
import { simplifiedLines, simplifiedPolygons } from './simplified.ts';

/** The single geometry that a document gets from its file, and sentences about the shapes that were left out. */
export type Places = { geometry: DocumentGeometry | null; note: string | null };

/** Maximum longitude of an outline, in degrees. Outlines may continue past ±180, but not further around the globe. */
const LON_MAX = 360;

/**
 * Collects the shapes of a file. Invalid shapes are left out and counted; shapes that cross longitude ±180 are cut
 * there.
 */
export function createShapes() {
  const points: Position[] = [];
  const lines: Position[][] = [];
  const polygons: Position[][][] = [];
  const broken = { count: 0, why: '' };
  const lost = { count: 0 };

  function addBroken(why: string): void {
    if (broken.count === 0) broken.why = why;
    broken.count += 1;
  }

  return {
    addBroken,

    addPoint(value: unknown): void {
      const position = positionOf(value);
      if (position === null) addBroken(OUT_OF_RANGE);
      else points.push([onGlobe(position[0]), position[1]]);
    },

    addLine(value: unknown): void {
      const line = positionsOf(value, 2, lost);
      if (line === null) addBroken(OUT_OF_RANGE);
      else if (line.some(isBeyond)) lines.push(...splitLineAtAntimeridian(line));
      else lines.push(line);
    },

    addPolygon(value: unknown): void {
      const rings = Array.isArray(value) ? value.map((ring) => positionsOf(ring, 4, lost)) : [];
      const isComplete = rings.length > 0 && rings.every((ring) => ring !== null);
      const drawn = isComplete ? (ringsAsDrawn(rings) as Position[][]) : [];
      const fault = isComplete ? faultOf(drawn) : OUT_OF_RANGE;
      if (fault !== null) addBroken(fault);
      else polygons.push(...(drawn.flat().some(isBeyond) ? areaPieces(drawn) : [drawn]));
    },

    /** Prefers areas to lines, and lines to points, since a document has only one geometry. */
    places(): Places {
      const notes: string[] = [];
      if (broken.count > 0) {
        const shapes = broken.count === 1 ? 'One shape is' : `${broken.count} shapes are`;
        notes.push(`${shapes} left out: ${broken.why}.`);
      }
      if (lost.count > 0) {
        const positions = lost.count === 1 ? 'One position is' : `${lost.count.toLocaleString('en')} positions are`;
        notes.push(`${positions} left out: no longitude and latitude in degrees.`);
      }
      const [kind, ...others] = [
        { type: 'Polygon', parts: polygons, name: ['area', 'areas'] as const },
        { type: 'LineString', parts: lines, name: ['line', 'lines'] as const },
        { type: 'Point', parts: points, name: ['point', 'points'] as const },
      ].filter(({ parts }) => parts.length > 0);
      if (others.length > 0) {
        const names = others.map(({ parts: { length }, name }) => `${length} ${name[length === 1 ? 0 : 1]}`);
        notes.push(`Not shown are ${names.join(' and ')}: a document has shapes of one kind, areas first.`);
      }
      const within = kind === undefined ? null : limited(kind.type, kind.parts, notes);
      const geometry = kind === undefined || within === null ? null : geometryOf(kind.type, within);
      return { geometry, note: notes.length === 0 ? null : notes.join(' ') };
    },
  };
}

const OUT_OF_RANGE = 'it has too few positions, or one that is no longitude and latitude in degrees';

function positionOf(value: unknown): Position | null {
  if (!Array.isArray(value)) return null;
  const [lon, lat] = value as unknown[];
  if (typeof lon !== 'number' || typeof lat !== 'number') return null;
  return Math.abs(lon) <= LON_MAX && Math.abs(lat) <= 90 ? [lon, lat] : null;
}

/**
 * Returns the positions of a line or a ring. Invalid positions are left out and counted; null if too few are left. A
 * ring stays closed.
 */
function positionsOf(value: unknown, least: number, lost: { count: number }): Position[] | null {
  if (!Array.isArray(value)) return null;
  const read = value.map(positionOf);
  const positions = read.filter((position) => position !== null);
  const [first] = positions;
  const isOpened = least === 4 && first !== undefined && (read[0] === null || read.at(-1) === null);
  if (isOpened && !isSame(first, positions.at(-1)!)) positions.push(first);
  if (positions.length < least) return null;
  lost.count += read.length - read.filter((position) => position !== null).length;
  return positions;
}

const isSame = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1];
const isBeyond = ([lon]: Position): boolean => Math.abs(lon) > 180;
const onGlobe = (lon: number): number => (Math.abs(lon) > 180 ? wrapLon(lon) : lon);

const verticesOf = (parts: unknown): number => (parts as readonly unknown[]).flat(3).length / 2;

/** Larger areas are checked after they were simplified. */
function faultOf(area: Position[][]): string | null {
  if (verticesOf([area]) > GEOMETRY_VERTICES_MAX) return null;
  const fault = outlineFault({ type: 'Polygon', coordinates: area });
  return fault && fault.charAt(0).toLowerCase() + fault.slice(1).replace(/\.$/, '');
}

type Parts = Position[] | Position[][] | Position[][][];

/**
 * Returns the parts unchanged if their vertices are within the limit, or else simplified, with a note; null if
 * simplifying does not suffice.
 */
function limited(type: string, parts: Parts, notes: string[]): Parts | null {
  const count = type === 'Point' ? parts.length : verticesOf(parts);
  if (count <= GEOMETRY_VERTICES_MAX) return parts;
  const all = count.toLocaleString('en');
  const made =
    type === 'Polygon'
      ? simplifiedPolygons(parts as Position[][][], GEOMETRY_VERTICES_MAX)
      : type === 'LineString'
        ? simplifiedLines(parts as Position[][], GEOMETRY_VERTICES_MAX)
        : null;
  if (made === null) {
    const maximum = GEOMETRY_VERTICES_MAX.toLocaleString('en');
    notes.push(`It has no place: its ${all} positions are more than ${maximum}, also when it is simplified.`);
    return null;
  }
  const retained = verticesOf(made.parts).toLocaleString('en');
  const off = made.toleranceM < 10 ? made.toleranceM.toFixed(1) : Math.round(made.toleranceM).toLocaleString('en');
  notes.push(`For the map and the search its ${all} positions are simplified to ${retained}, at most ${off} m off.`);
  return made.parts;
}

function geometryOf(type: string, parts: Parts): DocumentGeometry | null {
  const single = parts.length === 1;
  const parsed = documentGeometry.safeParse({
    type: single ? type : `Multi${type}`,
    coordinates: single ? parts[0] : parts,
  });
  return parsed.success ? parsed.data : null;
}
