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

/** Columns of `FramedRow`, for a query on annotations. */
export const frameColumns = [
  ...(['annotations.id', 'annotations.sensor_id', 'annotations.file_id', 'annotations.run'] as const),
  ...(['annotations.pts', 'annotations.frame_time', 'annotations.start_time', 'annotations.end_time'] as const),
] as const;
export const indexKeyOfFrame = indexKeyOfSensor('annotations.sensor_id').as('index_key');

export type AnnotationFrames = ReturnType<typeof annotationFrames>;

/**
 * Resolves the frames of annotations that were drawn on video. An annotation is shown with its frame, even if the
 * frame's time has changed since.
 */
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
        // Prevents applying the shift twice if two readers detect it simultaneously.
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

    /**
     * Updates the stored times of an annotation. Call it before its span is changed, since the user's new times refer
     * to the current clock.
     */
    async refresh(id: string): Promise<void> {
      await placed(await rowsWhere('id', id));
    },

    /**
     * Updates the stored times of a sensor's annotations. Call it before a file of the sensor is removed, so that
     * annotations drawn on it keep their current times.
     */
    async keepTimes(sensorId: string): Promise<void> {
      await placed(await rowsWhere('sensor_id', sensorId));
    },

    /**
     * Returns the frame on which a new annotation is drawn, in the form stored in its row.
     *
     * @throws AppError invalid without a mission, notFound, ruleRefused if the sensor shows nothing at that time
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
