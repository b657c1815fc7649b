/**
 * Number of bytes of a box before its content, and of one sample in the run that hls.js writes (ISO/IEC 14496-12,
 * 8.8.8).
 */
const BOX_HEAD = 8;
const SAMPLE_BYTES = 16;

/**
 * Returns the times at which hls.js shows the pictures of a fragment that it made, in ticks of its track and in
 * decoding order. Empty for the initialisation segment.
 */
export function sampleTimes(fragment: Uint8Array): number[] {
  const view = new DataView(fragment.buffer, fragment.byteOffset, fragment.byteLength);
  const moof = boxIn(view, 'moof');
  const track = moof && boxIn(moof, 'traf');
  const run = track && boxIn(track, 'trun');
  const begin = track && boxIn(track, 'tfdt');
  if (!run || !begin) return [];
  // A box of version 1 has a time of 64 bits.
  let decodedAt = Number(begin.getBigUint64(4));
  const times: number[] = [];
  // Each sample has duration, size, flags and composition time offset.
  for (let at = 12; at + SAMPLE_BYTES <= run.byteLength; at += SAMPLE_BYTES) {
    times.push(decodedAt + run.getInt32(at + 12));
    decodedAt += run.getUint32(at);
  }
  return times;
}

/** Returns the content of the first box of this type; null if there is none. */
function boxIn(view: DataView, type: string): DataView | null {
  for (let at = 0; at + BOX_HEAD <= view.byteLength; at += Math.max(BOX_HEAD, view.getUint32(at))) {
    const name = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
    if (name === type) return new DataView(view.buffer, view.byteOffset + at + BOX_HEAD, view.getUint32(at) - BOX_HEAD);
  }
  return null;
}
