import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { documentsOf } from '../../../test/documents.ts';
import { heicPicture } from '../../../test/heic.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { readHeic, screenHeic } from './reader/heic.ts';
import { readImage, screenImage } from './reader/image.ts';
import { contentOf } from './sniff.ts';

const server = await recordingServer({ jobs: ['document'] });
const { read } = documentsOf(server);

/** A box `ftyp` with a major brand and those that it is compatible with, and what may follow. */
function box(major: string, ...compatible: string[]): Buffer {
  const brands = Buffer.from(`ftyp${major}\0\0\0\0${compatible.join('')}`, 'latin1');
  const size = Buffer.alloc(4);
  size.writeUInt32BE(brands.byteLength + 4);
  return Buffer.concat([size, brands, Buffer.from('mdatavifheic')]);
}

it.each([
  ['avif', box('avif', 'mif1', 'miaf')],
  ['avif', box('mif1', 'avif')],
  ['heic', box('heic', 'mif1', 'heic')],
  ['heic', box('mif1', 'heic')],
  ['heic', box('hevc', 'msf1')],
  ['mp4', box('isom', 'iso2', 'avc1', 'mp41')],
  ['mp4', box('qt  ')],
  ['mp4', Buffer.from('\0\0\0\x08ftyp', 'latin1')],
])('tells %s by its brands', (content, bytes) => {
  expect(contentOf(bytes, bytes, true)).toBe(content);
});

itWithData('HEIC that cannot be decoded is kept, and says so', async () => {
  const row = await read('U1', testData('field/empty.heic'));

  expect(row).toMatchObject({ content: 'heic', state: 'Ready', thumbnail: null, geometry: null });
  expect(row.message).toMatch(/^No preview: this picture in HEIC cannot be read here; send it as JPEG/);
  expect(row.sizeBytes).toBe(readFileSync(testData('field/empty.heic')).byteLength);
});

it.skipIf(!existsSync('/usr/bin/ffmpeg'))(
  'HEIC has a small picture, a picture for the screen, and the place of its camera',
  async () => {
    const place = {
      GPSLatitudeRef: 'N',
      GPSLatitude: '50/1 0/1 0/1',
      GPSLongitudeRef: 'W',
      GPSLongitude: '8/1 30/1 0/1',
    };
    const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } })
      .withExif({ IFD3: place })
      .jpeg()
      .toBuffer();
    const { exif } = await sharp(jpeg).metadata();
    // In HEIC the header of TIFF comes first, without the name that JPEG puts before it.
    const tiff = exif!.subarray(exif!.indexOf('Exif\0\0') === 0 ? 6 : 0);
    const bytes = heicPicture({ colour: '0xc02020', width: 128, height: 96, exif: tiff });

    const row = await read('U1', { name: 'photo.heic', bytes });

    expect(row).toMatchObject({ content: 'heic', state: 'Ready', message: null });
    expect(row.geometry).toEqual({ type: 'Point', coordinates: [-8.5, 50] });
    expect(row.thumbnail).not.toBeNull();
    const { thumbnail } = await readHeic(bytes);
    const { dominant } = await sharp(Buffer.from(thumbnail!, 'base64')).stats();
    expect([dominant.r > 150, dominant.b < 80]).toEqual([true, true]);
    expect(await sharp(await screenHeic(bytes)).metadata()).toMatchObject({ format: 'webp', width: 128, height: 96 });
  },
);

it.skipIf(!existsSync('/usr/bin/ffmpeg'))('HEIC of damaged bytes is kept, and says so', async () => {
  const bytes = heicPicture({ colour: '0xc02020', width: 128, height: 96 });
  for (const damaged of [bytes.subarray(0, bytes.length >> 1), Buffer.from(bytes).fill(0xa5, 200)]) {
    expect(await readHeic(damaged)).toMatchObject({
      thumbnail: null,
      problem: expect.stringContaining('cannot be read'),
    });
  }
});

it('AVIF has a small picture, a picture for the screen, and the place that its camera wrote', async () => {
  const place = {
    GPSLatitudeRef: 'N',
    GPSLatitude: '50/1 0/1 0/1',
    GPSLongitudeRef: 'W',
    GPSLongitude: '8/1 30/1 0/1',
  };
  const photograph = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c02020' } })
    .withExif({ IFD3: place })
    .avif()
    .toBuffer();

  expect(contentOf(photograph, photograph, true)).toBe('avif');
  const { geometry, thumbnail, problem } = await readImage(photograph);
  expect([geometry, problem]).toEqual([{ type: 'Point', coordinates: [-8.5, 50] }, null]);
  const { dominant } = await sharp(Buffer.from(thumbnail!, 'base64')).stats();
  expect([dominant.r > 150, dominant.b < 80]).toEqual([true, true]);
  expect((await sharp(await screenImage(photograph)).metadata()).format).toBe('webp');
});

it('AVIF is read by the server as other pictures are', async () => {
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#204060' } })
    .avif()
    .toBuffer();
  const row = await read('U1', { name: 'photo.avif', bytes });

  expect(row).toMatchObject({ content: 'avif', state: 'Ready', message: null });
  expect(row.thumbnail).not.toBeNull();
});
