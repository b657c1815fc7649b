import { randomUUID } from 'node:crypto';
import { AppError } from '@osprey/contract';
import { DecoderError } from '../../base/ffmpeg/ffmpeg.ts';
import type { Storage } from '../../base/storage/storage.ts';

/** Returns the bytes of the picture in a data URL (RFC 2397), whose form the contract has already validated. */
export const bytesOf = (dataUrl: string): Buffer => Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');

export type BrowserPictures = {
  storage: Pick<Storage, 'put' | 'remove'>;
  /** Encodes the picture in a file again as JPEG, in a separate process. @throws DecoderError */
  jpegOf: (storageKey: string) => Promise<Buffer>;
};

/**
 * Encodes a picture sent by a browser again, so that only its pixels are stored.
 *
 * @throws AppError badFile if it is no picture, or has more than 8192 pixels on a side
 */
export async function browserPicture({ storage, jpegOf }: BrowserPictures, dataUrl: string): Promise<Buffer> {
  const key = `uploads/${randomUUID()}.part`;
  await storage.put(key, [bytesOf(dataUrl)]);
  try {
    return await jpegOf(key);
  } catch (error) {
    if (!(error instanceof DecoderError)) throw error;
    throw new AppError('badFile', { reason: 'the picture of the browser cannot be read' });
  } finally {
    await storage.remove(key);
  }
}
