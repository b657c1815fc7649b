import { type Footprint, type Homography, homography, type Point } from '@osprey/geo';

export type PictureBox = { left: number; top: number; right: number; bottom: number };

/** A moving target of ST 0903 in one frame. Picture coordinates range from 0 to 1, starting at the upper left. */
export type Target = {
  id: number;
  /** Null if only the target's place on the ground is known, not its position in the picture. */
  box: PictureBox | null;
  /** Colour chosen by the sender, as #rrggbb, or null. */
  colour: string | null;
  /** Confidence in percent (tag 5). */
  confidence: number | null;
  place: Point | null;
  /** Earlier places of its track, oldest first (VTracker tag 9). */
  path: Point[];
};

type Fields = Record<string, unknown>;

/**
 * Half the side of the box drawn around a target of which only the centre is known, as a share of the picture's width.
 */
const POINT_HALF = 0.012;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const numberIn = (fields: Fields, key: string): number | null => {
  const value = fields[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};

/**
 * Returns the size of the picture as stated in the VMTI set (tags 8 and 9). Senders repeat it seldom, so callers keep
 * the last one.
 */
export function frameSizeOf(vmti: unknown): { width: number | null; height: number | null } {
  if (!isFields(vmti)) return { width: null, height: null };
  return { width: numberIn(vmti, '8'), height: numberIn(vmti, '9') };
}

type Geometry = { width: number; height: number; footprint: Footprint | null };

/** Returns the targets of one VMTI set that can be placed in the picture or on the ground. */
export function targetsOf(vmti: unknown, { width, height, footprint }: Geometry): Target[] {
  const series = isFields(vmti) && Array.isArray(vmti['101']) ? vmti['101'] : [];
  const ground = footprint && homography(footprint.corners);
  const geometry = { width, height, centre: footprint?.centre ?? null, ground };
  return series.filter(isFields).flatMap((pack) => {
    const target = targetOf(pack, geometry);
    return target ? [target] : [];
  });
}

type Placing = { width: number; height: number; centre: Point | null; ground: Homography | null };

function targetOf(pack: Fields, placing: Placing): Target | null {
  const id = numberIn(pack, 'id');
  const box = pixelBox(pack, placing) ?? groundBox(pack, placing) ?? centreBox(pack, placing);
  const place = placeOf(pack, placing) ?? (box && groundUnder(box, placing));
  if (id === null || (box === null && place === null)) return null;
  const colour = numberIn(pack, '8');
  return {
    id,
    box,
    colour: colour === null ? null : `#${colour.toString(16).padStart(6, '0').slice(-6)}`,
    confidence: numberIn(pack, '5'),
    place,
    path: pathOf(pack),
  };
}

const groundUnder = ({ left, top, right, bottom }: PictureBox, { ground }: Placing): Point | null =>
  ground?.toGround((left + right) / 2, (top + bottom) / 2) ?? null;

/**
 * Converts a pixel number to a position in the picture. ST 0903.5 numbers pixels from 1, row by row from the upper
 * left.
 */
function pixelAt(pixel: number | null, { width, height }: Placing): { x: number; y: number } | null {
  if (pixel === null || pixel < 1 || width < 1 || height < 1) return null;
  const column = (pixel - 1) % width;
  const row = Math.floor((pixel - 1) / width);
  return row < height ? { x: column / width, y: row / height } : null;
}

function pixelBox(pack: Fields, placing: Placing): PictureBox | null {
  const from = pixelAt(numberIn(pack, '2'), placing);
  const to = pixelAt(numberIn(pack, '3'), placing);
  if (!from || !to) return null;
  return { left: from.x, top: from.y, right: to.x + 1 / placing.width, bottom: to.y + 1 / placing.height };
}

/**
 * Returns the target's box in the picture, from tags 13 to 16: upper left and lower right as offsets from the frame
 * centre.
 */
function groundBox(pack: Fields, { centre, ground }: Placing): PictureBox | null {
  const from = offsetPoint(pack, '13', '14', centre);
  const to = offsetPoint(pack, '15', '16', centre);
  const a = from && ground?.toImage(from);
  const b = to && ground?.toImage(to);
  if (!a || !b) return null;
  return {
    left: Math.min(a.x, b.x),
    top: Math.min(a.y, b.y),
    right: Math.max(a.x, b.x),
    bottom: Math.max(a.y, b.y),
  };
}

function centreBox(pack: Fields, placing: Placing): PictureBox | null {
  const middle = centroid(pack, placing) ?? placedCentre(pack, placing);
  if (!middle || placing.height < 1) return null;
  const high = (POINT_HALF * placing.width) / placing.height;
  return {
    left: middle.x - POINT_HALF,
    top: middle.y - high,
    right: middle.x + POINT_HALF,
    bottom: middle.y + high,
  };
}

function centroid(pack: Fields, placing: Placing): { x: number; y: number } | null {
  const [row, column] = [numberIn(pack, '19'), numberIn(pack, '20')];
  if (row !== null && column !== null) {
    return { x: (column - 0.5) / placing.width, y: (row - 0.5) / placing.height };
  }
  const pixel = pixelAt(numberIn(pack, '1'), placing);
  return pixel && { x: pixel.x + 0.5 / placing.width, y: pixel.y + 0.5 / placing.height };
}

function placedCentre(pack: Fields, placing: Placing): { x: number; y: number } | null {
  const place = placeOf(pack, placing);
  return place && (placing.ground?.toImage(place) ?? null);
}

/** Returns the target's place: tag 17, or tags 10 and 11, which are offsets from the frame centre. */
function placeOf(pack: Fields, { centre }: Placing): Point | null {
  return locationOf(pack['17']) ?? offsetPoint(pack, '10', '11', centre);
}

function locationOf(value: unknown): Point | null {
  if (!isFields(value)) return null;
  const [lat, lon] = [numberIn(value, 'latitude'), numberIn(value, 'longitude')];
  return lat === null || lon === null ? null : { lat, lon };
}

function offsetPoint(pack: Fields, latTag: string, lonTag: string, centre: Point | null): Point | null {
  const [lat, lon] = [numberIn(pack, latTag), numberIn(pack, lonTag)];
  return lat === null || lon === null || !centre ? null : { lat: centre.lat + lat, lon: centre.lon + lon };
}

function pathOf(pack: Fields): Point[] {
  const tracker = pack['104'];
  const history = isFields(tracker) && Array.isArray(tracker['9']) ? tracker['9'] : [];
  return history.flatMap((entry) => locationOf(entry) ?? []);
}
