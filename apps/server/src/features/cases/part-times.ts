import type { FrameAnchor } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { anchorIn } from '../../media/anchors/frame-places.ts';
import type { Filmed, PartRow, PartTimes } from './part-rows.ts';

/** UTC of frames of a sensor; null for frames that the sensor does not show any more. */
export type TimesOf = (sensorId: string, anchors: readonly FrameAnchor[]) => Promise<(number | null)[]>;

export type Timed = { times: PartTimes; filmed: readonly Filmed[] };

/** From the last tick of a clip to the first moment after it, microseconds. */
const TICK_US = 12;

/** When each part is, by the frames that it shows, as the clocks of their sensors say now; else as its rows last knew. */
export async function partTimes({ db, times }: { db: Db; times: TimesOf }, rows: readonly PartRow[]): Promise<Timed[]> {
  const frames = framesBy(times);
  const moments = rows.map((row) => frames.ask(row.sensor, anchorIn(row)));
  const cuts = (await cutRows(db, rows)).map((cut) => ({
    cut,
    first: frames.ask(cut.sensor_id, anchorIn({ file_id: cut.in_file, run: cut.in_run, pts: cut.in_pts })),
    last: frames.ask(cut.sensor_id, anchorIn({ file_id: cut.out_file, run: cut.out_run, pts: cut.out_pts })),
  }));
  await frames.read();
  const ofClips = Map.groupBy(cuts, ({ cut }) => cut.clip_id);
  return rows.map((row, at) => {
    const own = (row.clip_id === null ? [] : (ofClips.get(row.clip_id) ?? [])).map(({ cut, first, last }) => {
      const [inUs, outUs] = [first(), last()];
      const known = inUs !== null && outUs !== null;
      return { ...cut, startUs: known ? inUs : cut.in_time, endUs: known ? outUs + TICK_US : cut.out_time };
    });
    if (own.length > 0) return ofCuts(own);
    if (row.annotation_id !== null) {
      const movedUs = byFrame(row, moments[at]!());
      const [startTime, endTime] = [row.annotation_start, row.annotation_end].map((us) => us && us + movedUs);
      return { times: { startTime: startTime ?? null, endTime: endTime ?? null }, filmed: [] };
    }
    const startTime = moments[at]!() ?? row.bookmark_time ?? row.taken_time ?? row.start_time;
    return { times: { startTime, endTime: row.end_time }, filmed: filmedBy(row, startTime) };
  });
}

/** By how much the span of an annotation has moved with its frame since that was last read. */
const byFrame = ({ frame_time }: PartRow, nowUs: number | null): number =>
  nowUs === null || frame_time === null ? 0 : nowUs - frame_time;

type Cut = Awaited<ReturnType<typeof cutRows>>[number] & { startUs: number; endUs: number };

function ofCuts(cuts: readonly Cut[]): Timed {
  return {
    times: {
      startTime: Math.min(...cuts.map(({ startUs }) => startUs)),
      endTime: Math.max(...cuts.map(({ endUs }) => endUs)),
    },
    filmed: cuts.flatMap(({ sensor_id: sensorId, sensor_name: sensorName, index_key, time_shift, startUs, endUs }) =>
      sensorId === null
        ? []
        : [{ sensorId, sensorName, indexKey: index_key, shiftUs: time_shift ?? 0, startUs, endUs }],
    ),
  };
}

/** Documents have a place of their own. */
function filmedBy(row: PartRow, startUs: number | null): Filmed[] {
  if (row.sensor === null || row.document_id !== null || startUs === null) return [];
  const { sensor: sensorId, sensor_name: sensorName, index_key: indexKey, time_shift } = row;
  return [{ sensorId, sensorName, indexKey, shiftUs: time_shift ?? 0, startUs, endUs: row.end_time ?? startUs }];
}

/** Frames are asked for one by one, and read together. */
function framesBy(times: TimesOf) {
  const bySensor = new Map<string, { anchors: FrameAnchor[]; found: (number | null)[] }>();
  return {
    ask(sensorId: string | null, anchor: FrameAnchor | null): () => number | null {
      if (sensorId === null || anchor === null) return () => null;
      const own = bySensor.get(sensorId) ?? { anchors: [], found: [] };
      bySensor.set(sensorId, own);
      const at = own.anchors.push(anchor) - 1;
      return () => own.found[at] ?? null;
    },
    async read(): Promise<void> {
      await Promise.all([...bySensor].map(async ([id, own]) => (own.found = await times(id, own.anchors))));
    },
  };
}

async function cutRows(db: Db, rows: readonly PartRow[]) {
  const clips = rows.flatMap(({ clip_id }) => clip_id ?? []);
  if (clips.length === 0) return [];
  return asSystem(db, 'case')
    .selectFrom('clip_cuts')
    .leftJoin('sensors', 'sensors.id', 'clip_cuts.sensor_id')
    .where('clip_id', 'in', clips)
    .selectAll('clip_cuts')
    .select(['sensors.name as sensor_name', 'sensors.index_key', 'sensors.time_shift'])
    .orderBy('clip_cuts.position')
    .execute();
}
