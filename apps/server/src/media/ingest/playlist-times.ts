import { TICKS_PER_SECOND } from '@osprey/mpegts';
import { CONTAINER_START_SECONDS } from '../../base/ffmpeg/ffmpeg.ts';
import type { Storage, StoredFile } from '../../base/storage/storage.ts';
import { type Anchor, createAnchors, type Timebase } from '../../telemetry/timebase.ts';
import type { SegmentTime } from '../formats/archive.ts';
import { fragmentsOf } from '../formats/mp4/fragments.ts';
import { readMp4 } from '../formats/mp4/mp4-file.ts';
import {
  type FileIndex,
  fileIndexKey,
  getJson,
  INDEX_VERSION,
  putJson,
  readFileIndex,
  type StoredSegments,
} from '../index/file-index.ts';

/** Times that a playlist gave to segments of a recording, by their offsets in the original. */
type PlaylistTimes = { version: typeof INDEX_VERSION; times: SegmentTime[] };

const timesId = (fileId: string): string => `${fileId}-playlist`;

type Putting = { sensorId: string; fileId: string; times: SegmentTime[] };

export const putPlaylistTimes = (storage: Storage, { sensorId, fileId, times }: Putting): Promise<void> =>
  putJson(storage, fileIndexKey(sensorId, timesId(fileId)), { version: INDEX_VERSION, times } satisfies PlaylistTimes);

export const removePlaylistTimes = (storage: Storage, sensorId: string, fileId: string): Promise<void> =>
  storage.remove(fileIndexKey(sensorId, timesId(fileId)));

/**
 * Difference by which a segment's time must be ahead of the pictures' clock to count as a pause, in microseconds;
 * smaller ones are drift between the two clocks.
 */
const PAUSE_US = 500_000;
const TICKS_PER_US = TICKS_PER_SECOND / 1e6;

type Row = { id: string; sensor_id: string; kind: string; storage_key: string };

/**
 * Returns the clock of a recording according to its playlist (EXT-X-PROGRAM-DATE-TIME), each time applying to the first
 * picture of its segment. Null if there are no times.
 */
export async function playlistClock(storage: Storage, row: Row, index: FileIndex): Promise<Timebase['runs'] | null> {
  const existing = await readFileIndex<PlaylistTimes>(storage, row.sensor_id, timesId(row.id));
  if (existing === null || index.segmentsKey === null) return null;
  const { keyframes } = await getJson<StoredSegments>(storage, index.segmentsKey);
  const pictures = row.kind === 'ts' ? keyframes : await fragmentStarts(storage, row.storage_key);
  const anchors = createAnchors();
  let at = 0;
  const last: { run: number; anchor: Anchor } = { run: -1, anchor: [0, 0] };
  for (const [n, [offset, timeUs]] of existing.times.entries()) {
    while (at < pictures.length && pictures[at]![0] < offset) at += 1;
    const picture = pictures[at];
    const end = existing.times[n + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    // A segment that does not begin with a key frame cannot be dated, since the offsets of other pictures are unknown.
    if (picture === undefined || picture[0] >= end) continue;
    const [, ticks, run] = picture;
    if (last.run === run) {
      const before = ticks - 1;
      const expectedUs = last.anchor[1] + (before - last.anchor[0]) / TICKS_PER_US;
      if (timeUs - expectedUs > PAUSE_US) anchors.add(run, before, expectedUs);
    }
    anchors.add(run, ticks, timeUs);
    Object.assign(last, { run, anchor: [ticks, timeUs] });
  }
  const runs = anchors.finish();
  return runs.length === 0 ? null : runs;
}

/** Returns offset and time of each video fragment in an MP4, in the form in which key frames are stored. */
async function fragmentStarts(storage: Storage, key: string): Promise<StoredSegments['keyframes']> {
  const source = await storage.open(key);
  try {
    return await startsIn(source);
  } finally {
    await source.close();
  }
}

async function startsIn(source: StoredFile): Promise<StoredSegments['keyframes']> {
  const file = await readMp4(source, 0);
  const lead = file?.movie.tracks.find(({ handler }) => handler === 'vide');
  if (!file || !lead) return [];
  const starts: StoredSegments['keyframes'] = [];
  for await (const found of fragmentsOf(source, { requested: [lead], lead, moov: file.moov })) {
    if (!('sample' in found) || !found.sample.isFirst) continue;
    const { offset, shownSeconds } = found.sample;
    starts.push([offset, Math.round((shownSeconds + CONTAINER_START_SECONDS) * TICKS_PER_SECOND), 0]);
  }
  return starts;
}
