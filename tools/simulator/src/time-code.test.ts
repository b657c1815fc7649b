import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawTimeCode } from './overlay.ts';
import { createPicture, type Picture } from './picture.ts';
import { randomOf } from './random.ts';
import { readTimeCode, timeCodeCells } from './time-code.ts';

const START_US = 1_780_304_400_000_000;

function pictureWith(timeUs: number, frame: number, [width, height] = [640, 360]): Picture {
  const picture = createPicture(width!, height!);
  drawTimeCode(picture, timeUs, frame);
  return picture;
}

/** The luma of a picture at another size, every pixel the mean of what it covers. */
function scaled({ luma, width, height }: Picture, toWidth: number, toHeight: number): Uint8Array {
  return Uint8Array.from({ length: toWidth * toHeight }, (_, at) => {
    const [x0, y0] = [((at % toWidth) * width) / toWidth, (Math.floor(at / toWidth) * height) / toHeight];
    let [sum, count] = [0, 0];
    for (let y = Math.floor(y0); y < y0 + height / toHeight; y += 1) {
      for (let x = Math.floor(x0); x < x0 + width / toWidth; x += 1) {
        sum += luma[y * width + x]!;
        count += 1;
      }
    }
    return sum / count;
  });
}

describe('the time code in the picture', () => {
  it('reads what was written, for every time and frame number', () => {
    const times = fc.integer({ min: 0, max: 2 ** 52 });
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 2 ** 32 - 1 }), (timeUs, frame) => {
        const { luma, width, height } = pictureWith(timeUs, frame);

        expect(readTimeCode(luma, width, height)).toEqual({ timeUs, frame });
      }),
    );
  });

  it.each([
    [640, 360],
    [1280, 720],
    [1920, 1080],
    [854, 480],
    [322, 182],
  ])('reads from luma, planar YUV and RGBA of %i x %i', (width, height) => {
    const { luma, bytes } = pictureWith(START_US, 7, [width, height]);
    const rgba = Uint8ClampedArray.from({ length: width * height * 4 }, (_, at) =>
      (at & 3) === 3 ? 255 : luma[at >> 2]!,
    );

    for (const pixels of [luma, bytes, rgba]) {
      expect(readTimeCode(pixels, width, height)).toEqual({ timeUs: START_US, frame: 7 });
    }
  });

  it.each([
    [480, 270],
    [300, 169],
    [960, 540],
    [1011, 569],
  ])('survives scaling from 640 x 360 to %i x %i', (width, height) => {
    const pixels = scaled(pictureWith(START_US + 40_000, 1), width, height);

    expect(readTimeCode(pixels, width, height)).toEqual({ timeUs: START_US + 40_000, frame: 1 });
  });

  it('survives noise, and less contrast', () => {
    const { luma, width, height } = pictureWith(START_US, 99);
    const random = randomOf(5);
    const poor = luma.map((value) => 60 + value * 0.5 + 24 * (random() - 0.5));

    expect(readTimeCode(poor, width, height)).toEqual({ timeUs: START_US, frame: 99 });
  });

  it('is null for a wrong cell, another picture, a grey one, and one too small', () => {
    const { luma, width, height } = pictureWith(START_US, 99);
    const wrong = luma.slice();
    const [left, right] = [(20 * width) / 56, (21 * width) / 56];
    for (let y = height - 6; y < height; y += 1) {
      for (let x = Math.round(left); x < Math.round(right); x += 1) wrong[y * width + x] = 234 - wrong[y * width + x]!;
    }
    const random = randomOf(6);

    expect(readTimeCode(wrong, width, height)).toBeNull();
    expect(
      readTimeCode(
        luma.map(() => random() * 255),
        width,
        height,
      ),
    ).toBeNull();
    expect(readTimeCode(new Uint8Array(width * height).fill(128), width, height)).toBeNull();
    expect(readTimeCode(luma, 40, 40)).toBeNull();
    expect(readTimeCode(luma.subarray(0, 100), width, height)).toBeNull();
  });

  it('has 104 cells of content between its marks', () => {
    const cells = timeCodeCells({ timeUs: 0, frame: 0 });

    expect(cells).toHaveLength(112);
    expect([...cells.subarray(0, 2), ...cells.subarray(54, 58), ...cells.subarray(110)]).toEqual([
      1, 0, 0, 1, 0, 1, 1, 0,
    ]);
  });
});
