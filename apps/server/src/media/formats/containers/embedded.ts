import type { StoredFile } from '../../../base/storage/storage.ts';
import { type Mp4File, sampleBytes, trackSamples } from '../mp4/mp4-file.ts';
import type { Mp4Track } from '../mp4/tracks.ts';
import type { SidecarRow } from '../sidecars/row.ts';
import { readGpmf } from './gpmf.ts';

/** Maximum size of a payload; that of one second with all sensors is smaller. */
const PAYLOAD_MAX_BYTES = 4 * 1024 * 1024;
const TEXT_MAX_BYTES = 16 * 1024;
/** Maximum number of readings of a receiver's clock, whose median is used. */
const CLOCKS_MAX = 10_000;

type Reading = { source: StoredFile; file: Mp4File; track: Mp4Track };

/** Yields the positions of a GoPro metadata track, by presentation time. */
export async function* gpmfRows({ source, file, track }: Reading): AsyncGenerator<SidecarRow> {
  for await (const sample of trackSamples(source, file, track)) {
    const bytes = await sampleBytes(source, sample, PAYLOAD_MAX_BYTES);
    if (bytes) yield* readGpmf(bytes, sample.seconds, sample.durationSeconds).rows;
  }
}

/**
 * Returns the UTC time at the beginning of the presentation according to a GoPro's receiver: the median of all its
 * readings, since single ones are late. Null if it never had a fix.
 */
export async function gpmfStartUs({ source, file, track }: Reading): Promise<number | null> {
  const starts: number[] = [];
  for await (const sample of trackSamples(source, file, track)) {
    const bytes = await sampleBytes(source, sample, PAYLOAD_MAX_BYTES);
    const utc = bytes && readGpmf(bytes, sample.seconds, sample.durationSeconds).utc;
    if (utc) starts.push(utc.us - utc.seconds * 1e6);
    if (starts.length === CLOCKS_MAX) break;
  }
  starts.sort((a, b) => a - b);
  const middle = starts[starts.length >> 1];
  return middle === undefined ? null : Math.round(middle);
}

/**
 * Converts a text track (3GPP TS 26.245, or QuickTime) to SubRip: each sample consists of its length in two bytes, the
 * text, and boxes with styles.
 */
export async function* subtitleText({ source, file, track }: Reading): AsyncGenerator<Uint8Array> {
  let n = 0;
  for await (const sample of trackSamples(source, file, track)) {
    const bytes = await sampleBytes(source, sample, TEXT_MAX_BYTES);
    if (bytes === null || bytes.length < 2) continue;
    const text = Buffer.from(bytes.subarray(2, 2 + ((bytes[0]! << 8) | bytes[1]!))).toString();
    // Blank lines are removed, since one would end the cue.
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    if (lines.length === 0) continue;
    n += 1;
    const [from, to] = [sample.seconds, sample.seconds + sample.durationSeconds].map(timeText);
    yield Buffer.from(`${n}\n${from} --> ${to}\n${lines.join('\n')}\n\n`);
  }
}

function timeText(seconds: number): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${twoDigits(ms / 3_600_000)}:${twoDigits((ms / 60_000) % 60)}:${twoDigits((ms / 1000) % 60)},${String(ms % 1000).padStart(3, '0')}`;
}
