import { box, containerFile, findBox, words } from './containers.ts';

const text = (value: string): Buffer => Buffer.from(value, 'latin1');

function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, n) => void bytes.writeUInt16BE(value, 2 * n));
  return bytes;
}

/** A picture in HEIC (ISO/IEC 23008-12) of one colour, with EXIF where it is given: an intra picture that x265 makes. */
export function heicPicture({
  colour,
  width,
  height,
  exif,
}: {
  colour: string;
  width: number;
  height: number;
  exif?: Buffer;
}): Buffer {
  const coded = [
    '-c:v',
    'libx265',
    '-x265-params',
    'log-level=error',
    '-pix_fmt',
    'yuv420p',
    '-tag:v',
    'hvc1',
    '-frames:v',
    '1',
  ];
  const mp4 = containerFile('a.mp4', ['-f', 'lavfi', '-i', `color=${colour}:size=${width}x${height}`, ...coded]);
  const at = mp4.indexOf('hvcC') - 4;
  const config = mp4.subarray(at, at + mp4.readUInt32BE(at));
  const data = findBox(mp4, 'mdat', 0, mp4.length)!;
  const picture = mp4.subarray(data.start + 8, data.end);
  const items = [picture, ...(exif ? [Buffer.concat([words(0), exif])] : [])];
  const ftyp = box('ftyp', text('heic'), words(0), text('mif1heic'));
  const metaOf = (offset: number) => {
    const places = items.map((bytes, n) => {
      const start = offset + items.slice(0, n).reduce((sum, one) => sum + one.length, 0);
      return Buffer.concat([u16(n + 1, 0, 1), words(start, bytes.length)]);
    });
    const infos = items.map((_, n) =>
      box('infe', words(0x02000000), u16(n + 1, 0), text(n === 0 ? 'hvc1\0' : 'Exif\0')),
    );
    const properties = box(
      'iprp',
      box('ipco', config, box('ispe', words(0, width, height))),
      box('ipma', words(0, 1), u16(1), Buffer.from([2, 0x81, 2])),
    );
    const content = [
      box('hdlr', words(0, 0), text('pict'), words(0, 0, 0), text('\0')),
      box('pitm', words(0), u16(1)),
      box('iinf', words(0), u16(items.length), ...infos),
      ...(exif ? [box('iref', words(0), box('cdsc', u16(2, 1, 1)))] : []),
      properties,
      box('iloc', words(0), Buffer.from([0x44, 0]), u16(items.length), ...places),
    ];
    return box('meta', words(0), ...content);
  };
  const before = ftyp.length + metaOf(0).length + 8;
  return Buffer.concat([ftyp, metaOf(before), box('mdat', ...items)]);
}
