import { isUtcByName, type SensorTimeline, timeInName, timeStamp } from '@osprey/contract';
import type { FileReading } from '../../base/items/tables.ts';
import { type Timebase, utcOfPts } from '../../telemetry/timebase.ts';
import type { FileIndex } from '../index/file-index.ts';
import type { ContainerWord } from './container-file.ts';
import { chaptersTogether, continuesName, JOINED_US } from './continued.ts';
import {
  type ClockRun,
  clockRuns,
  klvEnds,
  klvTimebase,
  pictureTimebase,
  playlistTimebase,
  runStarts,
  streamTimebase,
} from './file-times.ts';
import { startsByName } from './recorded-order.ts';

/** A file of a sensor with all facts by which it could be dated. Times are UTC microseconds. */
export type FileToArrange = {
  id: string;
  name: string;
  /** Modification time stated by the browser: when the file was last written, so its end. */
  lastModifiedUs: number | null;
  uploadedUs: number;
  /** Remark about the file from the time of its upload. */
  remark: string | null;
  /** Hash of the original; null if it is not known. */
  sha256?: string | null;
  /** The file's entry in a manifest. */
  manifest: { position: number; startTimeUs: number | null } | null;
  /** Interpretation of the file's clock that a user chose. */
  reading?: FileReading | null;
  /** Facts from the container, for a recording that is no transport stream. */
  container?: ContainerWord | null;
  /** Clock according to the playlist uploaded with the file. */
  playlist?: Timebase['runs'] | null;
  index: FileIndex;
};

export type TimeSource = NonNullable<SensorTimeline['timeSource']>;

/** A file at its position on the sensor's timeline. Only its part within `window` is shown. */
export type ArrangedFile = FileToArrange & {
  runs: ClockRun[];
  timebase: Timebase;
  timeSource: TimeSource;
  startUs: number;
  endUs: number;
  window: [fromUs: number, toUs: number];
  /** Time from which telemetry before the first picture of this file is shown; absent if it begins with the window. */
  telemetryFromUs?: number;
  /** Explanation for the user of which part of this file is not shown, and why. */
  note: string | null;
  /** Present if another file has the same bytes and is shown instead: nothing of this one counts. */
  isCopy?: true;
};

/** A dated file; `note` contains only what results from dating it. */
type Dated = Omit<ArrangedFile, 'window' | 'telemetryFromUs' | 'isCopy'>;

/**
 * Arranges the files of a sensor on one timeline. Files with a reliable clock (KLV, or a manifest) are ordered by it;
 * if there are none, by the natural order of their names, which also determines the positions of files without a clock
 * among the others. If two files overlap, the first one is shown.
 */
export function arrange(files: readonly FileToArrange[]): ArrangedFile[] {
  const originals = new Map<string, FileToArrange>();
  const copies = new Map<string, FileToArrange[]>();
  for (const file of inOrder(files)) {
    const key = sameness(file);
    const original = key === null ? undefined : originals.get(key);
    if (original) copies.set(original.id, [...(copies.get(original.id) ?? []), file]);
    else originals.set(key ?? file.id, file);
  }
  const isOriginal = new Set([...originals.values()].map(({ id }) => id));
  return arrangeOriginals(files.filter(({ id }) => isOriginal.has(id))).flatMap((shown) => [
    shown,
    ...(copies.get(shown.id) ?? []).map((copy) => copyOf(shown, copy)),
  ]);
}

/** Marks that browsers and file managers put on the name of a further copy. */
const COPY_MARKS = /^copy of |(?:[ _-]+copy)?(?: ?\(\d{1,3}\))?(?=\.[^.]*$|$)/gi;

/**
 * Files of one content, name and time of a manifest are the same recording, given twice. Content alone does not say so:
 * a camera that looks at a wall may write two such files.
 */
const sameness = ({ name, sha256, manifest, playlist }: FileToArrange): string | null =>
  sha256 && !playlist
    ? JSON.stringify([sha256, name.replace(COPY_MARKS, '').toLowerCase(), manifest?.startTimeUs])
    : null;

function copyOf({ runs, timebase, timeSource, startUs, endUs, name }: ArrangedFile, copy: FileToArrange): ArrangedFile {
  const other = copy.name === name ? 'another file of this name' : name;
  const note = `It is the same file as ${other}, which is shown instead.`;
  return { ...copy, runs, timebase, timeSource, startUs, endUs, window: [endUs, endUs], note, isCopy: true };
}

function arrangeOriginals(files: readonly FileToArrange[]): ArrangedFile[] {
  const clocked = files.some((file) => hasClock(file));
  const dated = clocked ? dateAmongClocks(files).sort((a, b) => a.startUs - b.startUs) : dateInOrder(files);
  let shownUntilUs = Number.NEGATIVE_INFINITY;
  let statedUntilUs = Number.NEGATIVE_INFINITY;
  let before: Dated | null = null;
  return dated.map((file) => {
    const from = Math.max(file.startUs, shownUntilUs);
    const telemetryFromUs = telemetryFrom(file, from, statedUntilUs);
    statedUntilUs = Math.max(statedUntilUs, telemetryEnd(file));
    const overlap = before && file.startUs < shownUntilUs - SLIGHT_US ? overlapText(before, file, shownUntilUs) : null;
    const note = overlap ?? file.note;
    if (file.endUs > shownUntilUs) before = file;
    shownUntilUs = Math.max(shownUntilUs, file.endUs);
    const window: ArrangedFile['window'] = [from, Math.max(from, file.endUs)];
    return { ...file, window, ...(telemetryFromUs < from && { telemetryFromUs }), note };
  });
}

/**
 * Overlap that is ignored, less than two pictures: the end of a file is only as exact as the estimated duration of its
 * last picture.
 */
const SLIGHT_US = 100_000;

/** Maximum time by which metadata may precede the first picture of a file. */
const EARLY_US = 2_000_000;

/**
 * Returns the time from which telemetry of a file is shown. If a recording was split, sets at the split come before the
 * first picture of their file, during the last picture of the previous file. They are shown if the pictures do not
 * overlap, and only after `statedUntilUs`, the last telemetry of all previous files, so that no set is shown twice.
 */
function telemetryFrom({ timebase, runs, startUs }: Dated, windowUs: number, statedUntilUs: number): number {
  if (timebase.clock !== 'klv' || startUs >= windowUs) return windowUs;
  const pictures = runs.map(({ run, firstTicks }) => utcOfPts(timebase, run, firstTicks));
  if (!(Math.min(...pictures) >= windowUs - SLIGHT_US)) return windowUs;
  return Math.max(startUs, statedUntilUs + 1, windowUs - EARLY_US);
}

/** Returns the time of the last record of a file, by whichever clock it uses. */
function telemetryEnd(file: Dated): number {
  const { timebase, index } = file;
  const { missing } = index.klv.clock;
  const reported = timebase.clock === 'klv' ? klvEnds(index.klv) : null;
  const byPts = index.klvSpans
    .map(({ run, max }) => utcOfPts(timebase, run, max))
    .filter((time) => !Number.isNaN(time));
  const isOwn = timebase.clock === 'klv' && missing === 0 && !index.klv.line?.wrongSets;
  const ends = isOwn ? [] : byPts;
  if (reported) ends.push(reported[1] + otherUs(file));
  return Math.ceil(Math.max(Number.NEGATIVE_INFINITY, ...ends));
}

const hasClock = ({ index, manifest, playlist }: FileToArrange): boolean =>
  index.klv.clock.trustworthy ||
  index.pictureClock?.isBelieved === true ||
  Boolean(playlist) ||
  (manifest?.startTimeUs ?? null) !== null;

/**
 * Dates a file on its own: by its KLV, or else by the time stamps of its pictures, a manifest uploaded with it, its
 * playlist, its container, its name, its modification time, or the time of the upload. A name that states UTC comes before
 * a container that states no time zone.
 */
function dateAlone(file: FileToArrange): Dated {
  const runs = clockRuns(file.index);
  const lengthUs = runStarts(runs).endUs;
  if (file.index.klv.clock.trustworthy) {
    return dated(file, runs, { timebase: klvTimebase(file.index, runs, otherUs(file)), timeSource: 'klv' });
  }
  const { pictureClock } = file.index;
  if (pictureClock?.isBelieved) {
    return dated(file, runs, { timebase: pictureTimebase(pictureClock, runs), timeSource: 'picture' });
  }
  const reported = file.manifest?.startTimeUs ?? null;
  if (reported !== null) return dated(file, runs, { timebase: streamTimebase(runs, reported), timeSource: 'file' });
  if (file.playlist)
    return dated(file, runs, { timebase: playlistTimebase(file.playlist, runs), timeSource: 'playlist' });
  const began = file.container?.startUs ?? null;
  const inName = timeInName(file.name, file.uploadedUs);
  // A time with a zone is more reliable than one without.
  const isNamedUtc = file.container?.isZoned === false && isUtcByName(file.name) && inName !== null;
  if (began !== null && !isNamedUtc)
    return dated(file, runs, { timebase: streamTimebase(runs, began), timeSource: 'container' });
  // The recorder of Osprey names files by their start, to the second, whereas it gives the time of the last picture to
  // the microsecond, so the name is not used.
  const isRecorded = file.name.startsWith(timeStamp(file.uploadedUs)) && file.lastModifiedUs !== null;
  const named = isRecorded ? null : inName;
  if (named !== null) return dated(file, runs, { timebase: streamTimebase(runs, named), timeSource: 'name' });
  const endUs = file.lastModifiedUs ?? file.uploadedUs;
  const timeSource = file.lastModifiedUs === null ? 'upload' : 'file';
  return dated(file, runs, { timebase: streamTimebase(runs, Math.round(endUs - lengthUs)), timeSource });
}

/**
 * Returns the microseconds to add to the KLV times of a file. If KLV clock and stream clock disagree, the KLV clock can
 * be interpreted in two ways: the one that the rules choose (0), and the other one, which a user may choose.
 */
const otherUs = ({ index, reading }: FileToArrange): number =>
  reading?.clock === 'other' ? (index.klv.line?.otherUs ?? 0) : 0;

/**
 * Sorts files by name, or as a manifest says. Chapters of one GoPro recording are kept together, although their names
 * begin with the number of the chapter.
 */
function inOrder(files: readonly FileToArrange[]): FileToArrange[] {
  const byName = new Intl.Collator('en', { numeric: true });
  return [...files].sort(
    (a, b) =>
      (a.manifest?.position ?? Number.MAX_SAFE_INTEGER) - (b.manifest?.position ?? Number.MAX_SAFE_INTEGER) ||
      byName.compare(chaptersTogether(a.name), chaptersTogether(b.name)),
  );
}

/**
 * Files without a clock follow each other, none before the end of the one before it, unless the clock of the camera
 * says that its names are not in the order of recording.
 */
function dateInOrder(files: readonly FileToArrange[]): Dated[] {
  let endUs = Number.NEGATIVE_INFINITY;
  let before: Dated | null = null;
  let statedUs = Number.NaN;
  const placed = inOrder(files).map((file) => {
    const alone = dateAlone(file);
    const isEarlier = before !== null && !file.reading?.joined && isBefore(alone, before, statedUs);
    statedUs = alone.startUs;
    const late = alone.timeSource === 'upload' ? Number.NEGATIVE_INFINITY : alone.startUs;
    const isNext = before !== null && (file.reading?.joined === true || isContinued(before, alone));
    const startUs = isNext ? endUs : Math.max(late, endUs);
    const isOwn = isEarlier || endUs === Number.NEGATIVE_INFINITY;
    const one = moved(alone, isOwn ? alone.startUs : startUs);
    endUs = one.endUs;
    before = one;
    return one;
  });
  return placed.sort((a, b) => a.startUs - b.startUs);
}

/** Whether the containers of two files say that the second one by name began before the first one, which began then. */
function isBefore({ timeSource, container, startUs }: Dated, first: Dated, statedUs: number): boolean {
  const isOfContainers = timeSource === 'container' && first.timeSource === 'container';
  return isOfContainers && container?.startFrom === first.container?.startFrom && startUs < statedUs - JOINED_US;
}

/**
 * Returns whether a recorder split the recording here: the next file begins where the previous one ended, to within the
 * resolution of its clock.
 */
function isContinued(before: Dated, { name, startUs, timeSource }: Dated): boolean {
  if (before.timeSource !== timeSource || !continuesName(before.name, name)) return false;
  return startUs - before.endUs < JOINED_US;
}

/** Maximum plausible time between a file without a clock and its neighbour by name, if other files have a clock. */
const NEAR_US = 24 * 3600 * 1_000_000;

/**
 * If some files have a clock, those without one are placed by their own time, provided that it is near the neighbours
 * in the order of names, and otherwise after the previous file. The time of a copy, or of the upload, could stretch the
 * timeline over months.
 */
function dateAmongClocks(files: readonly FileToArrange[]): Dated[] {
  const placed = byRecorder(inOrder(files).map(dateAlone));
  const first = placed.findIndex(hasClock);
  for (let at = first - 1; at >= 0; at -= 1) placed[at] = placedBefore(placed[at]!, placed[at + 1]!);
  for (let at = first + 1; at < placed.length; at += 1) {
    const next = placed.slice(at).find(hasClock);
    placed[at] = placedBehind(placed[at]!, { before: placed[at - 1]!, next });
  }
  return placed;
}

/** Replaces clocks by which files would overlap although their names say that they were recorded one after another. */
function byRecorder(files: Dated[]): Dated[] {
  const named = files.flatMap((file) => {
    const isTimed = file.timeSource === 'klv' || file.timeSource === 'picture';
    const namedUs = isTimed ? timeInName(file.name, file.uploadedUs) : null;
    return namedUs === null ? [] : [{ file, ...file, namedUs, lengthUs: runStarts(file.runs).endUs }];
  });
  const starts = new Map(startsByName(named).map((startUs, at) => [named[at]!.file, startUs]));
  return files.map((file) => {
    const startUs = starts.get(file) ?? null;
    if (startUs === null) return file;
    const timebase = streamTimebase(file.runs, startUs);
    return {
      ...dated(file, file.runs, { timebase, timeSource: 'name' }),
      note: againstNameText(file.startUs - startUs),
    };
  });
}

/**
 * Returns whether the time in the name of a file was assumed to be UTC: its zone is not stated, and no clock of the
 * sensor confirms it.
 */
export function isZoneAssumed({ name, timeSource, index }: ArrangedFile): boolean {
  if (timeSource !== 'name' || isUtcByName(name)) return false;
  return !index.klv.clock.trustworthy && index.pictureClock?.isBelieved !== true;
}

function againstNameText(byUs: number): string {
  const seconds = `${(Math.abs(byUs) / 1e6).toFixed(1)} s ${byUs < 0 ? 'earlier' : 'later'}`;
  return `Its clock says a time ${seconds}, at which another file was recorded: it is dated by the time in its name.`;
}

function placedBefore(file: Dated, next: Dated): Dated {
  const fits = isDated(file) && file.endUs <= next.startUs + SLIGHT_US && file.startUs > next.startUs - NEAR_US;
  return fits ? file : moved(file, next.startUs - (file.endUs - file.startUs));
}

function placedBehind(file: Dated, { before, next }: { before: Dated; next: Dated | undefined }): Dated {
  if (hasClock(file)) return file;
  const untilUs = Math.min(before.endUs + NEAR_US, next?.startUs ?? Number.POSITIVE_INFINITY);
  const fits = isDated(file) && file.startUs >= before.endUs - SLIGHT_US && file.endUs <= untilUs + SLIGHT_US;
  return fits ? file : moved(file, before.endUs);
}

const isDated = ({ timeSource }: Dated): boolean => timeSource !== 'upload';

/** Moves a file to another start; it is not moved if the neighbour, or the file itself, has no time at all. */
function moved(file: Dated, startUs: number): Dated {
  if (!Number.isFinite(startUs)) return file;
  return dated(file, file.runs, { timebase: streamTimebase(file.runs, startUs), timeSource: file.timeSource });
}

function dated(
  file: FileToArrange,
  runs: ClockRun[],
  { timebase, timeSource }: Pick<Dated, 'timebase' | 'timeSource'>,
): Dated {
  const starts = runs.map(({ run, firstTicks }) => utcOfPts(timebase, run, firstTicks));
  const ends = runs.map(({ run, endTicks }) => utcOfPts(timebase, run, endTicks));
  const reported = timebase.clock === 'klv' ? (klvEnds(file.index.klv) ?? []).map((time) => time + otherUs(file)) : [];
  const known = [...starts, ...ends, ...reported].filter((time) => !Number.isNaN(time));
  const startUs = Math.round(Math.min(...known));
  const endUs = Math.round(Math.max(...known));
  return { ...file, runs, timebase, timeSource, startUs, endUs, note: null };
}

function overlapText(before: Dated, file: Dated, untilUs: number): string {
  if (file.endUs <= untilUs) return `All of it lies within the time of ${before.name}, which is shown instead.`;
  const seconds = ((untilUs - file.startUs) / 1e6).toFixed(1);
  return `The first ${seconds} s overlap ${before.name}, which is shown instead.`;
}
