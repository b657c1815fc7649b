import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unescapeNal } from './annex-b.ts';
import { hasRecoveryPoint, readH264Sps } from './h264.ts';
import { readH265Sps } from './h265.ts';
import { readMpeg2Sequence } from './mpeg2.ts';
import { readMpeg4Layer } from './mpeg4.ts';
import { isBrowserPlayable } from './video-format.ts';

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

// Parameter sets written by x264 and x265; what they say was checked with ffprobe.
const H264 = {
  full: '67640028acd940780227e5c04400000fa40003a9803c60c658',
  interlaced: '677a001ebcd940b424d8088000000300800000190f8a14cb',
  deep: '676e001fa6cd940a02ff970110000003001000000780f1831960',
  baseline: '6742c00dd90150878888c044000003000400000300c03c50a920',
};
const H265 = {
  full: '42010101600000030090000003000003007ba003c08010e596566924caf0168080000003008000001904',
  deep: '4201010408000003009d0800000300003fb005120171c93b6592a4932bc05a02000007d20000ea6010',
};

function h264(sps: string) {
  const bytes = hex(sps);
  return readH264Sps(bytes, 0, bytes.length);
}

function h265(sps: string) {
  const bytes = hex(sps);
  return readH265Sps(bytes, 0, bytes.length);
}

describe('readMpeg4Layer', () => {
  it.each([
    // Layers written by ffmpeg and by xvid; what they say was checked with ffprobe.
    ['0000012000c48d8800cd0a04169443', { width: 320, height: 180, interlaced: false, hasBFrames: false }],
    ['0000012000c48d8ba98514043c1443', { width: 640, height: 480, interlaced: false, hasBFrames: false }],
    ['0000012008d48d0800cd1684481c103f', { width: 720, height: 576, interlaced: true, hasBFrames: null }],
    ['0000012000bc0406c400cb065008b428c7', { width: 1280, height: 720, frameRate: 50 }],
    // The first one with vbv_parameters (ISO/IEC 14496-2, 6.2.3), which ffmpeg and xvid leave out.
    ['0000012000c48dc000c000c000f801800190019a14082d2886', { width: 320, height: 180, interlaced: false }],
  ])('reads %s', (bytes, expected) => {
    const layer = hex(bytes);
    expect(readMpeg4Layer(layer, 0, layer.length)).toMatchObject({ codec: 'mpeg4', ...expected });
  });
});

describe('readH264Sps', () => {
  it('reads the cropped size, frame rate and reordering of a 1080 line picture', () => {
    const format = h264(H264.full);

    expect(format).toMatchObject({ codec: 'h264', width: 1920, height: 1080, profile: 100, level: 40 });
    expect(format).toMatchObject({ chroma: '4:2:0', bitDepth: 8, interlaced: false, hasBFrames: true });
    expect(format.frameRate).toBeCloseTo(30000 / 1001, 9);
    expect(isBrowserPlayable(format)).toBe(true);
  });

  it('counts a field coded map twice', () => {
    const format = h264(H264.interlaced);

    expect(format).toMatchObject({ width: 720, height: 576, chroma: '4:2:2', interlaced: true, frameRate: 25 });
    expect(isBrowserPlayable(format)).toBe(false);
  });

  it('reads ten bits', () => {
    expect(h264(H264.deep)).toMatchObject({ width: 640, height: 360, bitDepth: 10, frameRate: 60 });
    expect(isBrowserPlayable(h264(H264.deep))).toBe(false);
  });

  it('crops odd sizes and knows that baseline does not reorder', () => {
    expect(h264(H264.baseline)).toMatchObject({ width: 322, height: 242, hasBFrames: false, profile: 66 });
  });

  it('refuses every shortening', () => {
    const bytes = hex(H264.full);
    for (let end = 1; end < bytes.length - 1; end++) {
      expect(() => readH264Sps(bytes, 0, end)).toThrow(expect.objectContaining({ name: 'FormatError' }));
    }
  });
});

describe('readH265Sps', () => {
  it('reads the cropped size and frame rate after block sizes and reference sets', () => {
    expect(h265(H265.full)).toMatchObject({ codec: 'h265', width: 1920, height: 1080, frameRate: 50, level: 123 });
    expect(h265(H265.full)).toMatchObject({ bitDepth: 8, chroma: '4:2:0', interlaced: false, hasBFrames: true });
  });

  it('reads 4:2:2 of ten bits without reordering', () => {
    const format = h265(H265.deep);

    expect(format).toMatchObject({ width: 642, height: 362, chroma: '4:2:2', bitDepth: 10, hasBFrames: false });
    expect(format.frameRate).toBeCloseTo(30000 / 1001, 9);
    expect(isBrowserPlayable(format)).toBe(false);
  });
});

describe('readMpeg2Sequence', () => {
  it('reads size, rate and field coding from header and extension', () => {
    const bytes = hex('000001b32d01e014ffffe018 000001b514820001 0000');
    const format = readMpeg2Sequence(bytes, 0, 12, bytes.length);

    expect(format).toMatchObject({ width: 720, height: 480, interlaced: true, profile: 4, level: 8, chroma: '4:2:0' });
    expect(format.frameRate).toBeCloseTo(30000 / 1001, 9);
  });

  it('reads a progressive 4:2:2 sequence', () => {
    const bytes = hex('000001b35002d038ffffe018 000001b5182c0001 0000');

    expect(readMpeg2Sequence(bytes, 0, 12, bytes.length)).toMatchObject({
      width: 1280,
      height: 720,
      frameRate: 60,
      chroma: '4:2:2',
      interlaced: false,
    });
  });

  it('takes a header without extension for MPEG-1', () => {
    const bytes = hex('000001b32d01e014ffffe018');

    expect(readMpeg2Sequence(bytes, 0, -1, bytes.length)).toMatchObject({ width: 720, interlaced: false });
  });

  it('refuses a header cut short', () => {
    expect(() => readMpeg2Sequence(hex('000001b32d01'), 0, -1, 6)).toThrow(
      expect.objectContaining({ name: 'FormatError' }),
    );
  });
});

/** As table 7.3.2.3 is written. */
function holdsRecoveryPoint(sei: Uint8Array): boolean {
  let at = 0;
  const number = () => {
    let sum = 0;
    while (sei[at] === 0xff) sum += sei[at++]!;
    return sum + (sei[at++] ?? Number.NaN);
  };
  while (at < sei.length) {
    const [type, size] = [number(), number()];
    if (Number.isNaN(size)) return false;
    if (type === 6) return true;
    at += size;
  }
  return false;
}

describe('hasRecoveryPoint', () => {
  const look = (text: string) => hasRecoveryPoint(hex(text), 0, hex(text).length);

  it('finds the message after others, also long ones', () => {
    expect(look('06 06 01 c4 80')).toBe(true);
    expect(look('06 01 02 aabb 06 01 c4 80')).toBe(true);
    expect(look('06 00 06 800000030000af 06 01 c4 80')).toBe(true);
    expect(look(`06 05 ff01 ${'00'.repeat(256)} 06 01 c4 80`)).toBe(true);
  });

  it('finds the message with emulation prevention between two messages', () => {
    expect(look('06 05 02 0000 03 01 01 aa 06 01 c4 80')).toBe(true);
    expect(look('06 05 03 0000 03 01 06 01 c4 80')).toBe(true);
  });

  it('finds what is found in the same unit without emulation prevention bytes', () => {
    let found = 0;
    const rest = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3, 3, 6, 0xff), { maxLength: 40 });
    fc.assert(
      fc.property(rest, (bytes) => {
        const unit = Uint8Array.of(6, ...bytes);
        const isThere = hasRecoveryPoint(unit, 0, unit.length);
        if (isThere) found++;
        expect(isThere).toBe(holdsRecoveryPoint(unescapeNal(unit, 1, unit.length)));
      }),
      { numRuns: 20_000 },
    );
    expect(found).toBeGreaterThan(1000);
  });

  it('finds none in other messages or where a size leads past the end', () => {
    expect(look('06 05 03 060606 80')).toBe(false);
    expect(look('06 05 7f 06')).toBe(false);
    expect(look('06 ff')).toBe(false);
  });
});
