import type { Logger } from 'pino';
import type { RingSegment } from '../../recorder-wire/protocol.ts';
import type { LiveListener, RingHistory } from '../components.ts';
import { type Entry, historyOf } from './history.ts';
import type { RingFiles } from './ring-files.ts';
import { type CutPart, type CutSegment, createSegmenter } from './segmenter.ts';

/** Maximum number of bytes in the write queue; if a slow disk lets the queue exceed this, the ring has a gap. */
const QUEUE_BYTES_MAX = 64 * 1024 * 1024;
/** Time after a failed write during which nothing is written to the disk. */
const REST_MS = 10_000;
/**
 * If the system clock is set back by less than this, the dates of segments continue from the last one, so that they
 * never decrease.
 */
const SMALL_STEP_US = 2e6;

export type SensorRingDeps = {
  sensorId: string;
  files: RingFiles;
  /** Returns the current retention in seconds; 0: nothing is written. */
  keepSeconds(): number;
  announced(segment: RingSegment): void;
  /** Announces that segments below this number were removed. */
  cut(first: number): void;
  failed(error: unknown): void;
  log: Logger;
  nowUs(): number;
  nowMs(): number;
};

export type SensorRing = {
  listener: LiveListener;
  /** Called when the stream is no longer listened to. */
  end(): void;
  segments(): RingSegment[];
  history(seconds: number): RingHistory | null;
  forget(): void;
  /** Removes segments that are older than the retention. */
  trim(): void;
  /** Resolves when everything that was cut has been written. */
  close(): Promise<void>;
};

/** The ring of one sensor. Parts are written without blocking the stream, and announced once they are on the disk. */
export async function createSensorRing(deps: SensorRingDeps): Promise<SensorRing> {
  const { sensorId, files, keepSeconds, log, nowUs, nowMs } = deps;
  const found = await files.load();
  const entries: Entry[] = found.segments.map((segment) => ({ segment, tables: null, queued: [], isGone: false }));
  // Without earlier segments, numbering starts at the current UTC time in seconds, which is higher than any number that
  // an earlier ring used.
  const base = Math.floor(nowUs() / 1e6);
  let nextN = (found.lastN ?? base) + 1;
  // Number of discontinuities; starts at the number of days since 1970. It must not be in the billions, since hls.js
  // copies a list of this length at each discontinuity and would freeze.
  let breaks = found.segments.at(-1)?.breaks ?? Math.floor(base / 86_400);
  let open: Entry | null = null;
  let isBroken = true;
  let queuedBytes = 0;
  let restsUntilMs = 0;
  let writing = Promise.resolve();

  const segmenter = createSegmenter({ begin, part, overflow: () => breakOff('more than can be kept') }, nowUs);

  function begin(cut: CutSegment) {
    trim();
    open = null;
    const isOff = keepSeconds() === 0 || nowMs() < restsUntilMs;
    const discontinuity = cut.discontinuity || isBroken;
    isBroken = isOff;
    if (isOff) return;
    if (discontinuity) breaks += 1;
    const startUs = dateOf(cut.startUs);
    const parts = { durationSeconds: 0, sizeBytes: 0, done: false, parts: [] };
    const segment = {
      sensorId,
      n: nextN++,
      startUs,
      firstPtsTicks: cut.firstPtsTicks,
      discontinuity,
      breaks,
      ...parts,
    };
    open = { segment, tables: cut.tables, queued: [], isGone: false };
    entries.push(open);
  }

  function dateOf(startUs: number): number {
    const last = entries.at(-1)?.segment.startUs ?? 0;
    return startUs <= last && last - startUs < SMALL_STEP_US ? last + 1000 : startUs;
  }

  function part(cut: CutPart, isLast: boolean) {
    const entry = open;
    if (entry === null) return;
    if (queuedBytes + cut.bytes.length > QUEUE_BYTES_MAX) return breakOff('the disk is too slow');
    if (isLast) open = null;
    entry.queued.push(cut);
    queuedBytes += cut.bytes.length;
    after(() => write(entry, cut, isLast));
  }

  function after(work: () => Promise<void>) {
    writing = writing.then(work).catch(deps.failed);
  }

  async function write(entry: Entry, cut: CutPart, isLast: boolean): Promise<void> {
    const { segment } = entry;
    try {
      if (entry.isGone || segment.done) return;
      await files.write(segment.n, cut.bytes, segment.sizeBytes);
      if (!entry.isGone) announce(entry, cut, isLast);
      await files.note(segment);
    } catch (error) {
      restsUntilMs = nowMs() + REST_MS;
      if (open === entry) breakOff('a write failed');
      else finish(entry);
      throw error;
    } finally {
      queuedBytes -= cut.bytes.length;
      if (entry.queued[0] === cut) entry.queued.shift();
    }
  }

  function announce({ segment, queued }: Entry, { bytes, durationSeconds, independent }: CutPart, isLast: boolean) {
    segment.parts.push({ offset: segment.sizeBytes, sizeBytes: bytes.length, durationSeconds, independent });
    segment.sizeBytes += bytes.length;
    segment.durationSeconds += durationSeconds;
    segment.done = isLast;
    queued.shift();
    deps.announced(segment);
  }

  /** Ends the segment with the parts written so far. The next segment will not continue it. */
  function breakOff(reason: string) {
    log.warn({ sensorId, reason }, 'hole in the ring of a live sensor');
    segmenter.abandon();
    isBroken = true;
    const entry = open;
    open = null;
    if (entry) after(async () => finish(entry));
  }

  function finish(entry: Entry) {
    const { segment } = entry;
    if (entry.isGone || segment.done) return;
    segment.done = true;
    if (segment.parts.length > 0) return deps.announced(segment);
    // The segment has no parts. Segment numbers must be consecutive, so all segments before it are removed as well.
    drop(entries.indexOf(entry) + 1);
  }

  function drop(count: number) {
    if (count <= 0) return;
    const gone = entries.splice(0, count);
    for (const entry of gone) entry.isGone = true;
    deps.cut(entries[0]?.segment.n ?? nextN);
    after(async () => {
      for (const { segment } of gone) await files.remove(segment.n);
    });
  }

  function trim() {
    const keepUs = keepSeconds() * 1e6;
    let keptUs = entries.reduce((sum, { segment }) => sum + segment.durationSeconds * 1e6, 0);
    let count = 0;
    for (const { segment } of entries) {
      if (!segment.done) break;
      keptUs -= segment.durationSeconds * 1e6;
      const isOld = segment.startUs + segment.durationSeconds * 1e6 < nowUs() - keepUs;
      if (keptUs < keepUs && !isOld) break;
      count += 1;
    }
    drop(count);
  }

  return {
    listener: segmenter,
    end: segmenter.end,
    segments: () => entries.flatMap(({ segment }) => (segment.parts.length > 0 ? segment : [])),
    history: (seconds) => (open === null ? null : historyOf({ entries, seconds, files, rest: segmenter.pending() })),
    forget() {
      segmenter.abandon();
      isBroken = true;
      open = null;
      drop(entries.length);
    },
    trim,
    async close() {
      segmenter.end();
      await writing;
      await files.close();
    },
  };
}
