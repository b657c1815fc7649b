import decodeHeic from 'heic-decode';
import type { Sharp } from 'sharp';
import type { Reading } from '../reading.ts';
import { fromPixels, placeIn, small, webpForScreen } from './image.ts';
import { nothingFound, PIXELS_MAX } from './limits.ts';

const UNREAD = 'this picture in HEIC cannot be read here; send it as JPEG for a preview';

/**
 * Creates a small upright picture of a HEIC file, with the place written by the camera. If the file cannot be decoded,
 * the result says so.
 */
export async function readHeic(bytes: Buffer): Promise<Reading> {
  const geometry = await placeIn(bytes).catch(() => null);
  try {
    const picture = await pictureOf(bytes);
    if (picture === null) return { ...nothingFound, geometry, problem: 'it has more than 100 megapixels' };
    return { ...nothingFound, geometry, thumbnail: (await small(picture)).toString('base64') };
  } catch {
    return { ...nothingFound, geometry, problem: UNREAD };
  }
}

/** Decodes a HEIC picture and encodes it for the viewer. */
export async function screenHeic(bytes: Buffer): Promise<Buffer> {
  const picture = await pictureOf(bytes);
  if (picture === null) throw new RangeError('Too many pixels');
  return webpForScreen(picture);
}

/**
 * Decodes the picture; rotation and mirroring are already applied to its pixels. Returns null if it has more pixels
 * than allowed.
 */
async function pictureOf(bytes: Buffer): Promise<Sharp | null> {
  const images = await decodeHeic.all({ buffer: bytes });
  try {
    const [first] = images;
    if (first === undefined || first.width * first.height === 0) throw new Error('No picture');
    if (first.width * first.height > PIXELS_MAX) return null;
    const { data, width, height } = await first.decode();
    return fromPixels(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), width, height);
  } finally {
    images.dispose();
  }
}
