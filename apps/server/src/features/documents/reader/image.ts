import exifReader from 'exif-reader';
import sharp, { type Sharp } from 'sharp';
import type { Reading } from '../reading.ts';
import { nothingFound, PAGE_PX, PIXELS_MAX, THUMBNAIL_PX } from './limits.ts';

/** Maximum width and height of a snapshot's picture, in pixels (trust.md, section 3). */
const SIDE_MAX = 8192;

sharp.cache(false);
sharp.concurrency(1);

const open = (bytes: Buffer) => sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'truncated', pages: 1 });

/**
 * Creates a small upright thumbnail of a picture. Encoding it again removes EXIF, GPS and any bytes after the picture.
 */
export async function readImage(bytes: Buffer): Promise<Reading> {
  const { width, height, exif } = await sharp(bytes, { limitInputPixels: false, pages: 1 }).metadata();
  const geometry = exif ? positionOf(exif) : null;
  if (width * height > PIXELS_MAX) return { ...nothingFound, geometry, problem: 'it has more than 100 megapixels' };
  return { ...nothingFound, geometry, thumbnail: (await small(open(bytes))).toString('base64') };
}

/** Returns the place in the EXIF of a picture without decoding the pixels; null if there is none. */
export async function placeIn(bytes: Buffer): Promise<Reading['geometry']> {
  const { exif } = await sharp(bytes, { limitInputPixels: false, pages: 1 }).metadata();
  return exif ? positionOf(exif) : null;
}

/** Encodes a picture again for the viewer. */
export const screenImage = (bytes: Buffer): Promise<Buffer> => webpForScreen(open(bytes));

export async function webpForScreen(picture: Sharp): Promise<Buffer> {
  return picture
    .rotate()
    .resize({ width: PAGE_PX, height: PAGE_PX, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 85 })
    .toBuffer();
}

/** Encodes a picture again as JPEG in the same resolution, so that no metadata remains. */
export async function jpegOf(bytes: Buffer): Promise<Buffer> {
  await sizeOf(bytes);
  return open(bytes).rotate().flatten({ background: '#000000' }).jpeg({ quality: 80 }).toBuffer();
}

export async function sizeOf(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false, pages: 1 }).metadata();
  if (Math.max(width, height) > SIDE_MAX) throw new RangeError(`Wider or higher than ${SIDE_MAX} pixels`);
  return { width, height };
}

/** Returns a JPEG, without chroma subsampling, of a picture with a strip of the same width below it. */
export async function beneath(bytes: Buffer, strip: Sharp): Promise<Buffer> {
  const { height } = await sizeOf(bytes);
  const { data, info } = await strip.png().toBuffer({ resolveWithObject: true });
  return open(bytes)
    .flatten({ background: '#000000' })
    .extend({ bottom: info.height, background: '#000000' })
    .composite([{ input: data, top: height, left: 0 }])
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** Creates a picture from the pixels of the PDF renderer, four channels each. */
export const fromPixels = (data: Uint8Array, width: number, height: number) =>
  sharp(data, { raw: { width, height, channels: 4 } }).flatten({ background: '#ffffff' });

export const small = (picture: Sharp): Promise<Buffer> =>
  picture
    .rotate()
    .resize({ width: THUMBNAIL_PX, height: THUMBNAIL_PX, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .toBuffer();

/** Reads the position from the GPS IFD (EXIF 2.32): degrees, minutes, seconds and hemisphere. */
function positionOf(exif: Buffer): Reading['geometry'] {
  try {
    const { GPSInfo: gps } = exifReader(exif);
    const lat = degrees(gps?.GPSLatitude, gps?.GPSLatitudeRef, 'S');
    const lon = degrees(gps?.GPSLongitude, gps?.GPSLongitudeRef, 'W');
    const isPlace =
      lat !== null && lon !== null && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && (lat !== 0 || lon !== 0);
    return isPlace ? { type: 'Point', coordinates: [round(lon), round(lat)] } : null;
  } catch {
    return null;
  }
}

function degrees(parts: unknown, half: unknown, negative: string): number | null {
  if (!Array.isArray(parts) || parts.length === 0) return null;
  const [whole = Number.NaN, minutes = 0, seconds = 0] = parts.map((part) =>
    typeof part === 'number' ? part : Number.NaN,
  );
  const value = whole + minutes / 60 + seconds / 3600;
  if (!Number.isFinite(value)) return null;
  return half === negative ? -value : value;
}

const round = (value: number): number => Math.round(value * 1e7) / 1e7;
