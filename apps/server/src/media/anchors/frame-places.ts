import type { FrameAnchor } from '@osprey/contract';
import type { FrameColumns } from '../../base/items/archived.ts';
import type { sensorAnchors } from './sensor-anchors.ts';

export type { FrameColumns };

export type Anchors = ReturnType<typeof sensorAnchors>;

/** Columns for the frame that an annotation was drawn on, with its UTC time as last derived. */
export type StoredFrame = FrameColumns & { sensor_id: string | null; frame_time: number | null };

/** `waiting`: marked in a recording that has not been ingested yet; `gone`: the frame is no longer shown anywhere. */
export type FrameState = 'shown' | 'waiting' | 'gone';

/** A mark, with the data that is needed of its sensor. */
type MarkRow = FrameColumns & {
  /** Null if the sensor was removed. */
  sensor_id: string | null;
  /** Null if nothing of the sensor has been ingested yet. */
  index_key: string | null;
  /** UTC time of the frame as last known, in microseconds. */
  last_time: number;
};

/**
 * Tolerance for the time of a mark made in a live stream, in microseconds: it was derived from the telemetry received
 * so far, and the complete recording may date its picture slightly later. Shorter than any picture.
 */
const LIVE_CLOCK_US = 1000;

export const anchorIn = ({ file_id, run, pts }: FrameColumns): FrameAnchor | null =>
  file_id === null || run === null || pts === null ? null : { fileId: file_id, run, pts };

export const columnsOf = (anchor: FrameAnchor | null): FrameColumns =>
  anchor === null
    ? { file_id: null, run: null, pts: null }
    : { file_id: anchor.fileId, run: anchor.run, pts: anchor.pts };

type FramePlacesDeps<Row> = {
  anchors: Anchors;
  /** Writes derived values into the row of a mark. */
  keep: (row: Row, fields: Partial<FrameColumns & { last_time: number }>) => Promise<void>;
};

/** Determines the current times of the frames of marks of one kind. */
export function framePlaces<Row extends MarkRow>({ anchors, keep }: FramePlacesDeps<Row>) {
  /**
   * Derives the time of each row from its frame, and stores it in the row in case the frame is deleted later. Marks
   * made before their recording was ingested get their frame now, if there is one. Returns the rows grouped by sensor.
   */
  return async function place<Own extends Row>(rows: readonly Own[]): Promise<(Own & { state: FrameState })[]> {
    const bySensor = Map.groupBy(rows, ({ sensor_id }) => sensor_id);
    const placed = await Promise.all([...bySensor].map(([sensorId, own]) => placeAll(sensorId, own)));
    return placed.flat();
  };

  async function placeAll<Own extends Row>(
    sensorId: string | null,
    rows: readonly Own[],
  ): Promise<(Own & { state: FrameState })[]> {
    if (sensorId === null) return rows.map((row) => ({ ...row, state: 'gone' as const }));
    const anchored: Own[] = [];
    for (const row of rows) anchored.push(anchorIn(row) === null ? await withAnchor(sensorId, row) : row);
    const known = anchored.flatMap((row) => anchorIn(row) ?? []);
    const times = known.length > 0 ? await anchors.times(sensorId, known) : [];
    const placed: (Own & { state: FrameState })[] = [];
    let at = 0;
    for (const row of anchored) {
      if (anchorIn(row) === null) {
        placed.push({ ...row, state: row.index_key === null ? 'waiting' : 'gone' });
        continue;
      }
      const time = times[at++] ?? null;
      if (time !== null && time !== row.last_time) await keep(row, { last_time: time });
      placed.push({ ...row, last_time: time ?? row.last_time, state: time === null ? 'gone' : 'shown' });
    }
    return placed;
  }

  async function withAnchor<Own extends Row>(sensorId: string, row: Own): Promise<Own> {
    const anchor = row.index_key === null ? null : await anchors.at(sensorId, row.last_time + LIVE_CLOCK_US);
    if (anchor === null) return row;
    const found = columnsOf(anchor);
    await keep(row, found);
    return { ...row, ...found };
  }
}
