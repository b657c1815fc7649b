import exifReader from 'exif-reader';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { withLabel } from './label-in-jpeg.ts';
import type { Place } from './place-in-exif.ts';

const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#336699' } })
  .jpeg()
  .toBuffer();
const facts = { label: 'RESTRICTED', title: 'Kea', takenUs: 1e15, source: null } as const;

it.each<[Place, lat: string, lon: string, xmpLat: string, xmpLon: string]>([
  [{ lat: 55.5, lon: 12.25 }, 'N 55 30 0', 'E 12 15 0', '55,30.000000N', '12,15.000000E'],
  [{ lat: -33.868_812_5, lon: -70.5 }, 'S 33 52 7.725', 'W 70 30 0', '33,52.128750S', '70,30.000000W'],
  [{ lat: 0, lon: -180 }, 'N 0 0 0', 'W 180 0 0', '0,0.000000N', '180,0.000000W'],
  // Seconds and minutes that are rounded up to 60 go over.
  [{ lat: 9.999_999_999_9, lon: 0.016_666_666_6 }, 'N 10 0 0', 'E 0 1 0', '10,0.000000N', '0,1.000000E'],
])('has the place %j in EXIF and in XMP, beside the same picture', async (centre, lat, lon, xmpLat, xmpLon) => {
  const copy = withLabel(picture, { ...facts, centre });

  const { exif, xmp } = await sharp(copy).metadata();
  const { GPSInfo: gps } = exifReader(exif!);
  expect(gps).toMatchObject({ GPSMapDatum: 'WGS-84' });
  const [north, east] = [
    [gps!.GPSLatitudeRef, ...(gps!.GPSLatitude ?? [])],
    [gps!.GPSLongitudeRef, ...(gps!.GPSLongitude ?? [])],
  ];
  expect([north.join(' '), east.join(' ')]).toEqual([lat, lon]);
  expect(xmp!.toString()).toContain(`exif:GPSLatitude="${xmpLat}" exif:GPSLongitude="${xmpLon}"`);
  expect(await sharp(copy).raw().toBuffer()).toEqual(await sharp(picture).raw().toBuffer());
});

it('says no place where none is known', async () => {
  const { exif, xmp } = await sharp(withLabel(picture, { ...facts, centre: null })).metadata();

  expect(exif).toBeUndefined();
  expect(xmp!.toString()).not.toContain('GPS');
});
