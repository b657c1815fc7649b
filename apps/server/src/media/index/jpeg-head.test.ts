import sharp, { type JpegOptions } from 'sharp';
import { expect, it } from 'vitest';
import { jpegHead } from './jpeg-head.ts';

const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
const picture = (options: JpegOptions = {}) =>
  sharp({ create: { width: 180, height: 102, channels: 3, background: '#123456', noise } })
    .jpeg(options)
    .toBuffer();

it('returns the size of one whole JPEG, baseline or progressive', async () => {
  expect(jpegHead(await picture())).toMatchObject({ width: 180, height: 102 });
  expect(jpegHead(await picture({ progressive: true }))).toMatchObject({ width: 180, height: 102 });
});

it('returns null for what a decoder may count as none or as several pictures', async () => {
  const good = await picture();
  const second = Buffer.from(good);
  second.set([0xff, 0xd8], good.length - 200);

  expect(jpegHead(new Uint8Array())).toBeNull();
  expect(jpegHead(Buffer.from('picture'))).toBeNull();
  expect(jpegHead(good.subarray(0, -2))).toBeNull();
  expect(jpegHead(good.subarray(0, 300))).toBeNull();
  expect(jpegHead(Buffer.concat([good, good]))).toBeNull();
  expect(jpegHead(Buffer.concat([good, Buffer.from([0])]))).toBeNull();
  expect(jpegHead(second)).toBeNull();
  for (let length = 0; length < good.length; length += 97) expect(jpegHead(good.subarray(0, length))).toBeNull();
});

it('knows which pictures a decoder reads in the same way', async () => {
  const [one, other, sampled] = await Promise.all([
    picture(),
    picture({ quality: 20 }),
    picture({ chromaSubsampling: '4:4:4' }),
  ]);
  const deep = Buffer.from(one);
  deep[one.indexOf(Buffer.from([0xff, 0xc0])) + 4] = 12;

  expect(jpegHead(other)?.form).toBe(jpegHead(one)?.form);
  expect(jpegHead(sampled)?.form).not.toBe(jpegHead(one)?.form);
  expect(jpegHead(deep)).toBeNull();
});
