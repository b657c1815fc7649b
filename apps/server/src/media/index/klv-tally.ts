import type { KlvPayload } from '@osprey/mpegts';
import type { KlvStream, KlvSurvey } from './klv-survey.ts';

/** Maximum number of different kinds of fault, since a stream of noise would produce endless ones. */
const MAX_FAULT_KINDS = 200;
const TICKS_PER_MS = 90;
const PID_COUNT = 8192;
/** Range within which latencies are counted, in milliseconds before or after. */
export const LATENCY_RANGE_MS = 5000;

/** Maximum number of different keys, since noise could produce endless ones. */
const MAX_KEYS = 20;
const OTHER_KEYS = 'other';

/** Maximum number of sets with a wrong checksum whose positions are stored; all such sets are counted. */
const MAX_FAILED_SETS = 50_000;

/** Counts the packets of the shown stream for the health panel; the size of the counts is limited. */
export function createKlvTally() {
  const streams = new Map<number, KlvStream>();
  const checksum = { good: 0, bad: 0, missing: 0 };
  const failedSets: [run: number, ptsTicks: number][] = [];
  const faults = new Map<string, { tag: number | null; fault: string; count: number }>();
  const latencies = new Int32Array(2 * LATENCY_RANGE_MS + 1);

  return {
    streamCount: () => streams.size,

    streamOf({ pid, programNumber, sync }: KlvPayload): KlvStream {
      const key = programNumber * PID_COUNT + pid;
      let stream = streams.get(key);
      if (stream === undefined) {
        stream = { pid, program: programNumber, kind: sync ? 'sync' : 'async', standards: {}, sets: 0 };
        streams.set(key, stream);
      }
      return stream;
    },

    fault(tag: number | null, fault: string): void {
      const key = `${tag} ${fault}`;
      const existing = faults.get(key);
      if (existing) existing.count += 1;
      else if (faults.size < MAX_FAULT_KINDS) faults.set(key, { tag, fault, count: 1 });
    },

    /** Counts a packet whose key belongs to no known set. */
    unknownKey(stream: KlvStream, key: string): void {
      stream.unknownKeys ??= {};
      const counts = stream.unknownKeys;
      const name = key in counts || Object.keys(counts).length < MAX_KEYS ? key : OTHER_KEYS;
      counts[name] = (counts[name] ?? 0) + 1;
    },

    checksum(verdict: keyof typeof checksum): void {
      checksum[verdict] += 1;
    },

    /** Records a set with a wrong checksum, with its position in the stream's clock. */
    failed(run: number, ptsTicks: number | null): void {
      if (ptsTicks !== null && failedSets.length < MAX_FAILED_SETS) failedSets.push([run, ptsTicks]);
    },

    /** `ticks`: time by which a payload arrived after the picture of its time; negative if before it. */
    latency(ticks: number): void {
      const ms = Math.round(ticks / TICKS_PER_MS);
      const bin = Math.max(-LATENCY_RANGE_MS, Math.min(LATENCY_RANGE_MS, ms));
      latencies[bin + LATENCY_RANGE_MS]! += 1;
    },

    report: (): Pick<KlvSurvey, 'streams' | 'checksum' | 'failedSets' | 'faults' | 'latencyMs'> => ({
      streams: [...streams.values()],
      checksum,
      ...(failedSets.length > 0 && { failedSets }),
      faults: [...faults.values()].sort((a, b) => b.count - a.count),
      latencyMs: quantiles(latencies),
    }),
  };
}

function quantiles(bins: Int32Array): KlvSurvey['latencyMs'] {
  const all = bins.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  const at = (share: number) => {
    let left = Math.ceil(share * all);
    const bin = bins.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return bin - LATENCY_RANGE_MS;
  };
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}
