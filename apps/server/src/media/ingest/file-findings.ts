import type { KlvHealth } from '@osprey/contract';
import { TICKS_PER_SECOND, unreadVideo } from '@osprey/mpegts';
import { programsOf } from '../index/file-index.ts';
import { type ArrangedFile, isZoneAssumed } from './arrange.ts';
import { durationText } from './duration-text.ts';

type Finding = KlvHealth['findings'][number];

/** Difference between a manifest and a file's own clock from which they count as contradictory, in microseconds. */
const MANIFEST_DIFFERENCE_US = 1_000_000;

/** Returns findings that concern one file as a whole. */
export function fileFindings(file: ArrangedFile): Finding[] {
  const { name, remark, note, index, container, timeSource } = file;
  const findings: Finding[] = [];
  const warn = (text: string) => findings.push({ severity: 'warning', text });
  if (remark) warn(`${name}: ${remark}`);
  if (note) warn(`${name}: ${note}`);
  for (const text of container?.notes ?? []) warn(`${name}: ${text}`);
  if (isZoneAssumed(file)) warn(`${name}: it is dated by the time in its name, taken as UTC (assumed).`);
  else if (timeSource === 'name' && !note)
    findings.push({ severity: 'good', text: `${name}: it is dated by the time in its name, which is UTC.` });
  if (timeSource === 'container')
    findings.push({ severity: 'good', text: `${name}: ${CLOCKS[container?.startFrom ?? 'container']}` });
  const contradiction = manifestText(file);
  if (contradiction !== null) warn(`${name}: ${contradiction}`);
  if (index.isUntimed) warn(`${name}: none of the pictures has a time, so they are not shown.`);
  else if (index.runs.length === 0) warn(`${name}: ${noPictureText(index)}`);
  else if (index.video === null) warn(`${name}: the picture cannot be decoded, its parameter sets are missing.`);
  if (!index.patSeen) warn(`${name}: the program association table is missing; the program was found by search.`);
  const lateSeconds = secondsBeforeTables(index);
  if (lateSeconds >= LATE_SECONDS) warn(`${name}: ${lateText(lateSeconds)}`);
  if (index.otherPrograms > 0) warn(`${name}: the first of ${index.otherPrograms + 1} programs is shown.`);
  for (const text of leftOutTexts(index)) warn(`${name}: ${text}`);
  if (index.trailingBytes > 0) warn(`${name}: the last packet is cut off.`);
  for (const mark of index.klv.unknownMarks) warn(`${name}: the security mark "${mark}" is not known.`);
  return findings;
}

/** Time without tables, in seconds, that is not reported, since encoders may repeat their tables that rarely. */
const LATE_SECONDS = 1;

/** Estimates the duration of the bytes before the tables, from the bit rate after them. */
function secondsBeforeTables({ beforeTables = 0, sizeBytes, runs }: ArrangedFile['index']): number {
  const shown = runs.reduce((sum, { firstPts, lastPts }) => sum + (lastPts - firstPts) / TICKS_PER_SECOND, 0);
  return (shown * beforeTables) / Math.max(1, sizeBytes - beforeTables);
}

const lateText = (seconds: number): string =>
  `its tables come only after about ${seconds.toFixed(0)} s: the pictures and telemetry before them are not shown.`;

/**
 * Returns the contradiction between the manifest and the file's own clock; null if they agree, or if nothing else dates
 * the file.
 */
function manifestText({ manifest, startUs, timeSource }: ArrangedFile): string | null {
  const reported = manifest?.startTimeUs ?? null;
  if (reported === null || (timeSource !== 'klv' && timeSource !== 'picture')) return null;
  const apart = reported - startUs;
  if (Math.abs(apart) <= MANIFEST_DIFFERENCE_US) return null;
  const clock = timeSource === 'klv' ? 'its telemetry' : 'the time stamps of its pictures';
  return `the manifest dates it ${durationText(Math.abs(apart) / 1e6)} ${apart > 0 ? 'later' : 'earlier'} than ${clock}, which counts.`;
}

const CLOCKS = {
  container: 'it is dated by the time that its container gives for its beginning.',
  gps: 'it is dated by the time of the GPS receiver that it holds.',
};

/** Names the unsupported codec if it is known, which is more helpful than saying that there is no picture. */
function noPictureText(index: ArrangedFile['index']): string {
  const unread = programsOf(index)
    .flatMap(({ streams }) => streams)
    .map(unreadVideo)
    .find((coding) => coding !== null);
  return unread ? `its video is ${unread}, which is not read: convert it to H.264 first.` : 'there is no picture.';
}

/** Describes streams of the shown program that are not shown. */
function leftOutTexts({ leftOut, klv }: ArrangedFile['index']): string[] {
  const { videos, sounds } = leftOut ?? { videos: [], sounds: [] };
  const texts: string[] = [];
  if (videos.length > 0) texts.push(`${more(videos, 'video stream')} not shown (${pidText(videos)}).`);
  const others = klv.others?.filter((pid) => !klv.filled?.some((one) => one.pid === pid)) ?? [];
  if (others.length > 0) texts.push(`${more(others, 'telemetry stream')} left out (${pidText(others)}).`);
  if (sounds.length > 0) texts.push(`sound of an unknown kind is left out (${pidText(sounds)}).`);
  return texts;
}

const more = ({ length }: readonly number[], what: string): string =>
  length === 1 ? `one more ${what} is` : `${length} more ${what}s are`;

const pidText = (pids: readonly number[]): string => `${pids.length === 1 ? 'PID' : 'PIDs'} ${pids.join(', ')}`;
