/** One frame in planar YUV 4:2:0, limited range, as the encoder expects it. The planes are views of `bytes`. */
export type Picture = {
  width: number;
  height: number;
  /** False for a grey picture, whose colour planes are not written. */
  isColour: boolean;
  bytes: Uint8Array;
  luma: Uint8Array;
  /** Blue and red difference planes, with half the width and half the height. */
  blue: Uint8Array;
  red: Uint8Array;
};

/** Luma and both colour differences, 8 bits each. */
export type Colour = readonly [luma: number, blue: number, red: number];

export function createPicture(width: number, height: number, isColour = true): Picture {
  const pixels = width * height;
  const bytes = new Uint8Array((pixels * 3) / 2).fill(128);
  return {
    width,
    height,
    isColour,
    bytes,
    luma: bytes.subarray(0, pixels),
    blue: bytes.subarray(pixels, (pixels * 5) / 4),
    red: bytes.subarray((pixels * 5) / 4),
  };
}

/** Converts 8-bit RGB to ITU-R BT.709, limited range. */
export function colour(red: number, green: number, blue: number): Colour {
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [
    16 + (luma * 219) / 255,
    128 + ((blue - luma) / 1.8556) * (224 / 255),
    128 + ((red - luma) / 1.5748) * (224 / 255),
  ];
}
