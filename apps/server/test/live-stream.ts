import { createMuxer } from '@osprey/mpegts';

/** As x264 writes them for 1280x720 without B-frames. */
const SPS = {
  '4:2:0': '6764001facb200a00b760220000003002000000781e30649',
  '4:2:2': '677a001fbcb200a00b760220000003002000000781e30649',
} as const;
const PPS = '68ebc3cb22c0';
const SLICES = { key: '6588843fff', other: '419a246c41ff' };
const KEY_EVERY = 10;
const STEP = 3000;

export type LivePictures = { startTicks?: number; sizeBytes?: number; chroma?: keyof typeof SPS };

/**
 * H.264 in a transport stream, picture by picture: each ends when the next begins. Readers take it for what its
 * parameter sets say; it cannot be decoded.
 */
export function pictures(count: number, options: LivePictures = {}): Uint8Array[] {
  const { startTicks = 90_000, sizeBytes = 400, chroma = '4:2:0' } = options;
  const pieces: Uint8Array[] = [];
  const muxer = createMuxer({ streams: [{ pid: 256, kind: 'h264' }], write: (bytes) => pieces.push(bytes.slice()) });
  for (let i = 0; i < count; i++) {
    const keyframe = i % KEY_EVERY === 0;
    const nals = keyframe ? ['09f0', SPS[chroma], PPS, SLICES.key] : ['09f0', SLICES.other];
    const head = Buffer.from(nals.map((nal) => `00000001${nal}`).join(''), 'hex');
    const bytes = new Uint8Array(head.length + sizeBytes).fill(0xab);
    bytes.set(head);
    muxer.unit({ pid: 256, ptsTicks: startTicks + i * STEP, keyframe, bytes });
  }
  return pieces;
}
