/** Number of ticks, of a tenth of a second each, over which the bit rate is averaged. */
const WINDOW = 20;

/** Amount and bit rate of one source's data. */
export type StreamMeter = {
  add(bytes: number, packets: number): void;
  tick(nowMs: number): void;
  bytes(): number;
  packets(): number;
  /** Averaged over the last 2 s. */
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
