import { type Actor, AppError, type NewAnnotation } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { indexKeyOfSensor } from '../../base/items/sensors.ts';
import {
  type Anchors,
  columnsOf,
  type FrameState,
  framePlaces,
  type StoredFrame,
} from '../../media/anchors/frame-places.ts';
import { readableSensors } from '../../media/play/covered-minutes.ts';

/** The frame of a row, with the span, which moves with it, and the index of the sensor. */
export type FramedRow = StoredFrame & {
  id: string;
  index_key: string | null;
  start_time: number | null;
  end_time: number | null;
};

export type Framed<Row> = Row & { frame_state: FrameState | null };

/** Columns of `FramedRow`, in a query over annotations. */
export const frameColumns = [
  ...(['annotations.id', 'annotations.sensor_id', 'annotations.file_id', 'annotations.run'] as const),
  ...(['annotations.pts', 'annotations.frame_time', 'annotations.start_time', 'annotations.end_time'] as const),
] as const;
export const indexKeyOfFrame = indexKeyOfSensor('annotations.sensor_id').as('index_key');

export type AnnotationFrames = ReturnType<typeof annotationFrames>;

/** The frames of annotations that were drawn on video: each is shown with its frame, wherever that is by now. */
export function annotationFrames({ db, anchors }: { db: Db; anchors: Anchors }) {
  const place = framePlaces<FramedRow & { last_time: number }>({
    anchors,
    async keep({ id, frame_time }, { last_time: time, ...fields }) {
      await asSystem(db, 'media')
        .updateTable('annotations')
        .set(fields)
        .$if(time !== undefined, (query) =>
          query.set({
            frame_time: time!,
            start_time: sql`start_time + ${time!}::bigint - frame_time`,
            end_time: sql`end_time + ${time!}::bigint - frame_time`,
          }),
        )
        .where('id', '=', id)
        // Not twice, where two readers find it at once.
        .where('frame_time', '=', frame_time)
        .execute();
    },
  });

  /** The rows in their order, with times that follow their frames. */
  async function placed<Row extends FramedRow>(rows: readonly Row[]): Promise<Framed<Row>[]> {
    const framed = rows.flatMap((row) => (row.frame_time === null ? [] : [{ ...row, last_time: row.frame_time }]));
    const found = new Map((framed.length === 0 ? [] : await place(framed)).map((row) => [row.id, row]));
    return rows.map((row) => {
      const own = found.get(row.id);
      if (own === undefined) return { ...row, frame_state: null };
      const movedUs = own.last_time - row.frame_time!;
      return {
        ...row,
        ...{ file_id: own.file_id, run: own.run, pts: own.pts, frame_time: own.last_time, frame_state: own.state },
        start_time: row.start_time && row.start_time + movedUs,
        end_time: row.end_time && row.end_time + movedUs,
      };
    });
  }

  const rowsWhere = (column: 'id' | 'sensor_id', value: string) =>
    asSystem(db, 'media')
      .selectFrom('annotations')
      .select(frameColumns)
      .select(indexKeyOfFrame)
      .where(`annotations.${column}`, '=', value)
      .execute();

  return {
    placed,

    /** Before the span of one is changed: what somebody writes is meant by the clock of now. */
    async refresh(id: string): Promise<void> {
      await placed(await rowsWhere('id', id));
    },

    /** Before a file of the sensor goes: what was drawn on it keeps the times that it has now. */
    async keepTimes(sensorId: string): Promise<void> {
      await placed(await rowsWhere('sensor_id', sensorId));
    },

    /**
     * The frame that a new annotation is drawn on, as its row keeps it.
     *
     * @throws AppError invalid without a mission, notFound, ruleRefused where the sensor shows nothing then
     */
    async frameOf(actor: Actor, { frame, missionId }: NewAnnotation): Promise<StoredFrame | null> {
      if (frame === null) return null;
      if (missionId === null) throw new AppError('invalid', { 'body.frame': 'Only with a mission' });
      const sensor = await readableSensors(db, actor)
        .where('missions.id', '=', missionId)
        .where('sensors.id', '=', frame.sensorId)
        .select('sensors.index_key')
        .executeTakeFirst();
      if (sensor === undefined) throw new AppError('notFound');
      const { sensorId: id, time } = frame;
      const anchor = await anchors.at(id, time);
      if (anchor === null && sensor.index_key !== null) {
        throw new AppError('ruleRefused', {
          reason: 'The sensor shows nothing at this time. Go to a recorded moment.',
        });
      }
      const [exact = null] = anchor === null ? [] : await anchors.times(id, [anchor]);
      return { sensor_id: id, ...columnsOf(anchor), frame_time: exact ?? time };
    },
  };
}
