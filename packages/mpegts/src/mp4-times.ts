import { klvEntry, soundEntry, videoEntry } from './mp4-entries.ts';
import type { MovieTrack } from './mp4-movie.ts';
import type { Mp4Coding, Mp4Sample } from './mp4-samples.ts';
import type { NumberList } from './number-list.ts';
import { TICKS_PER_SECOND } from './timeline.ts';

/** Data of one track, by sample. */
export type Track = {
  coding: Mp4Coding;
  sizes: NumberList;
  /** Number of bytes in each picture that are parameter sets. */
  setBytes: NumberList;
  /**
   * Presentation times in 90 kHz ticks, NaN if unknown. For sound: the position at which each frame begins, in audio
   * samples.
   */
  pts: NumberList;
  dts: NumberList;
  keys: NumberList;
  /** Number of samples in each chunk. */
  chunks: NumberList;
};

/** Step in ticks assumed for a part with a single picture, which has no measurable rate. */
const FIRST_STEP = 3600;
/** Number of pictures whose steps are examined. */
const STEPS = 500;

type Near = {
  /** Time of the part's first picture in the presentation. */
  baseTicks: number;
  /** Time of the last picture relative to the first one of the part, used for samples without a time of their own. */
  nearTicks: number;
};

const lastOf = (list: NumberList): number => (list.length() > 0 ? list.at(list.length() - 1) : Number.NaN);

/** Adds a sample of a part whose times have not been settled yet. */
export function addSample({ coding, ...track }: Track, sample: Mp4Sample, { baseTicks, nearTicks }: Near): void {
  track.sizes.add(sample.sizeBytes);
  if (coding.kind === 'video') {
    track.setBytes.add(sample.setBytes);
    track.pts.add(sample.ptsTicks ?? Number.NaN);
    track.dts.add(sample.dtsTicks ?? Number.NaN);
    if (sample.key) track.keys.add(track.sizes.length());
    return;
  }
  const last = lastOf(track.pts);
  if (coding.kind === 'klv') {
    const ticks = baseTicks + (sample.ptsTicks ?? nearTicks);
    track.pts.add(Number.isNaN(last) ? ticks : Math.max(last, ticks));
    return;
  }
  const { rate, samples } = coding.sound!;
  const next = last + samples;
  const stated = sample.ptsTicks === null && !Number.isNaN(last) ? null : (sample.ptsTicks ?? nearTicks);
  const begins = stated === null ? next : Math.round(((baseTicks + stated) * rate) / TICKS_PER_SECOND);
  // PTS are rounded, so later frames are moved only if the difference is large enough for a missing frame.
  const isMoved = Number.isNaN(last) || begins - next > samples;
  track.pts.add(isMoved ? begins : next);
}

/**
 * Assigns the pictures of a part their times in the presentation. A missing time continues the usual step. Decoding
 * times that are missing or do not increase are derived from the order in which pictures are shown. Returns the end of
 * the part.
 */
export function settle({ pts, dts }: Track, from: number, baseTicks: number): number {
  const [shown, decoded] = [pts.from(from), dts.from(from)];
  const step = stepOf(decoded);
  let isRising = true;
  for (let i = 0; i < shown.length; i++) {
    if (Number.isNaN(decoded[i]!))
      decoded[i] = Number.isNaN(shown[i]!) ? (i > 0 ? decoded[i - 1]! + step : 0) : shown[i]!;
    if (Number.isNaN(shown[i]!)) shown[i] = decoded[i]!;
    isRising &&= shown[i]! >= decoded[i]! && (i === 0 || decoded[i]! > decoded[i - 1]!);
  }
  if (!isRising) {
    const sorted = shown.slice().sort();
    for (let i = 1; i < sorted.length; i++) sorted[i] = Math.max(sorted[i]!, sorted[i - 1]! + 1);
    let delay = 0;
    for (let i = 0; i < sorted.length; i++) delay = Math.max(delay, sorted[i]! - shown[i]!);
    for (let i = 0; i < sorted.length; i++) decoded[i] = sorted[i]! - delay;
  }
  let end = 0;
  for (let i = 0; i < shown.length; i++) {
    shown[i]! += baseTicks;
    decoded[i]! += baseTicks;
    const before = from + i > 0 ? dts.at(from + i - 1) : Number.NEGATIVE_INFINITY;
    if (decoded[i]! <= before) decoded[i] = before + 1;
    end = Math.max(end, shown[i]! + step);
  }
  return end;
}

/** Returns the usual step between two pictures: the median. */
function stepOf(decoded: Float64Array): number {
  const steps: number[] = [];
  for (let i = 1; i < decoded.length && steps.length < STEPS; i++) {
    const step = decoded[i]! - decoded[i - 1]!;
    if (step > 0) steps.push(step);
  }
  return steps.sort((a, b) => a - b)[steps.length >> 1] ?? FIRST_STEP;
}

/**
 * Returns the time in ticks of the first picture shown at or after a moment; 0, the time of the first picture, if there
 * is none.
 */
export function firstFrom(shown: Float64Array, ticks: number): number {
  let first = Number.POSITIVE_INFINITY;
  for (const one of shown) if (one >= ticks && one < first) first = one;
  return Number.isFinite(first) ? first : 0;
}

/** Presentation times, in ticks, at which the shown span begins and ends. */
type Shown = { inTicks: number; endTicks: number };

export type ShownTrack = { number: number; track: Omit<MovieTrack, 'sizes'> };

/** Returns the tracks that have content in the shown span. */
export function shownTracks(tracks: readonly Track[], { inTicks, endTicks }: Shown): ShownTrack[] {
  const preroll = inTicks - tracks[0]!.dts.at(0);
  return tracks.flatMap((track, number) => {
    if (track.sizes.length() === 0) return [];
    const { coding, chunks } = track;
    if (coding.kind === 'video')
      return [{ number, track: { ...pictureTrack(track, inTicks, endTicks), chunks: chunks.from(0) } }];
    const made = timedTrack(track, inTicks, endTicks);
    // Workaround for qtdemux of GStreamer 1.22, which ends a movie when media times exceed the longest edit, although
    // media begins before the shown span.
    if (made?.handler === 'meta') made.shownTicks += preroll;
    return made === null ? [] : [{ number, track: { ...made, chunks: chunks.from(0) } }];
  });
}

type Made = Omit<MovieTrack, 'sizes' | 'chunks'>;

function pictureTrack({ coding, ...track }: Track, inTicks: number, endTicks: number): Made {
  if (coding.kind !== 'video') throw new TypeError('Not a track of pictures');
  const [shown, decoded] = [track.pts.from(0), track.dts.from(0)];
  const origin = decoded[0]!;
  const delays = shown.map((ticks, i) => ticks - decoded[i]!);
  const format = coding.format!;
  return {
    handler: 'vide',
    entry: videoEntry({ format, sets: coding.sets, inBand: coding.changed, headers: coding.headers }),
    timescale: TICKS_PER_SECOND,
    ...{ width: format.width, height: format.height },
    durations: stepsOf(decoded, stepOf(decoded)),
    delays: delays.every((ticks) => ticks === 0) ? null : delays,
    keys: track.keys.length() === shown.length ? null : track.keys.from(0),
    emptyTicks: 0,
    shownTicks: endTicks - inTicks,
    mediaStart: inTicks - origin,
  };
}

/** Returns the times of a sound or KLV track; null if none of it is in the shown span. */
function timedTrack({ coding, pts }: Track, inTicks: number, endTicks: number): Made | null {
  const isSound = coding.kind === 'sound';
  const timescale = isSound ? (coding.sound?.rate ?? 0) : TICKS_PER_SECOND;
  const last = isSound ? (coding.sound?.samples ?? 0) : 1;
  const begins = pts.from(0);
  const ofMovie = (ticks: number) => Math.round((ticks * TICKS_PER_SECOND) / timescale);
  const start = begins[0]!;
  const end = isSound ? ofMovie(begins.at(-1)! + last) : endTicks;
  const emptyTicks = Math.max(0, ofMovie(start) - inTicks);
  const shownTicks = Math.min(end, endTicks) - inTicks - emptyTicks;
  if (shownTicks <= 0) return null;
  const made = { timescale, durations: stepsOf(begins, last), delays: null, keys: null, ...{ width: 0, height: 0 } };
  const mediaStart = emptyTicks > 0 ? 0 : Math.round((inTicks * timescale) / TICKS_PER_SECOND) - start;
  const entry = coding.kind === 'sound' ? soundEntry(coding.sound!) : klvEntry();
  return {
    handler: isSound ? 'soun' : 'meta',
    entry,
    ...made,
    emptyTicks,
    shownTicks,
    mediaStart: Math.max(0, mediaStart),
  };
}

/** Returns the duration from each time to the next; `last` for the last one. */
function stepsOf(times: Float64Array, last: number): Float64Array {
  return times.map((time, i) => (i + 1 < times.length ? times[i + 1]! - time : last));
}
