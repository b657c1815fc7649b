import sharp from 'sharp';

/** Maximum height of the logo: four times its 24 px in the top bar, so that it is sharp on any screen. */
const HEIGHT_PX = 96;
const WIDTH_PX = 640;
const PIXELS_MAX = 16_000_000;

// Allow only the PNG and JPEG decoders, no matter which type the bytes claim to have.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer'] });

const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
const picture = sharp(Buffer.concat(chunks), { limitInputPixels: PIXELS_MAX, failOn: 'error' })
  .rotate()
  .resize({ height: HEIGHT_PX, width: WIDTH_PX, fit: 'inside', withoutEnlargement: true });
process.stdout.write(await picture.png().toBuffer());
