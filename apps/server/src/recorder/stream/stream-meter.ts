/** Number of ticks over which the bit rate is averaged; a tick is a tenth of a second. */
const WINDOW = 20;

/** Counts the data of one source and measures its bit rate. */
export type StreamMeter = {
  add(bytes: number, packets: number): void;
  tick(nowMs: number): void;
  bytes(): number;
  packets(): number;
  /** Returns the bit rate, averaged over the last 2 s. */
  bitsPerSecond(): number;
};

export function streamMeter(): StreamMeter {
  const bytesAt = new Float64Array(WINDOW);
  const timeAt = new Float64Array(WINDOW);
  let ticks = 0;
  let bytes = 0;
  let packets = 0;
  let rate = 0;

  return {
    add(moreBytes, morePackets) {
      bytes += moreBytes;
      packets += morePackets;
    },
    tick(nowMs) {
      const slot = ticks % WINDOW;
      const oldest = ticks < WINDOW ? 0 : slot;
      const span = nowMs - timeAt[oldest]!;
      rate = ticks === 0 || span <= 0 ? 0 : ((bytes - bytesAt[oldest]!) * 8000) / span;
      bytesAt[slot] = bytes;
      timeAt[slot] = nowMs;
      ticks += 1;
    },
    bytes: () => bytes,
    packets: () => packets,
    bitsPerSecond: () => Math.round(rate),
  };
}
