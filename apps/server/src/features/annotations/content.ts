import { AppError, classificationOf } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Config } from '../../base/config/config.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Box, Content } from '../../base/items/content.ts';
import { boxOf, iso, json } from '../../base/items/content-files.ts';
import { visibleAnnotations } from '../../base/items/visibility.ts';
import { anchorIn } from '../../media/anchors/frame-places.ts';
import { annotationArchive } from './archive.ts';
import { annotationChanges } from './changes.ts';

type Deps = { db: Kysely<Database>; nowUs: () => number; config: Pick<Config, 'systemHigh'> };

export const annotationContent = ({ db, nowUs, config }: Deps): Content => ({
  kind: 'annotation',
  table: 'annotations',
  item: 'annotation',
  gone: null,

  async missionsOf(tx, ids) {
    const rows = await asSystem(tx, 'case')
      .selectFrom('annotations')
      .where('id', 'in', [...ids])
      .select('mission_id')
      .execute();
    return rows.flatMap(({ mission_id }) => mission_id ?? []);
  },

  async read(tx, actor, id) {
    const row = await visibleAnnotations(tx, actor)
      .where('annotations.id', '=', id)
      .select(['annotations.title', 'annotations.mission_id', 'annotations.classification'])
      .select(['annotations.start_time', 'annotations.end_time'])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { title, mission_id: missionId, start_time: startTime, end_time: endTime, classification } = row;
    return { title, missionId, startTime, endTime, classification };
  },

  async shown(tx, ids) {
    const rows = await asSystem(tx, 'case')
      .selectFrom('annotations')
      .where('id', 'in', [...ids])
      .select(['id', 'title', 'deleted_time', 'mission_id', 'sensor_id', 'start_time', 'end_time', 'frame_time'])
      .select(['file_id', 'run', 'pts'])
      .select(
        sql<
          Box[]
        >`(select coalesce(json_agg(${boxOf('shape')}), '[]') from annotation_shapes where annotation_id = annotations.id)`.as(
          'places',
        ),
      )
      .execute();
    return rows.map(({ id, title, mission_id, sensor_id: sensorId, places, ...row }) => ({
      ...{ id, title, deletedTime: row.deleted_time, missionId: mission_id, places },
      ...{ sensors: [{ id: sensorId, name: null }], thumbnailUrl: null, picture: null, overlays: false },
      frames: [{ sensorId, anchor: anchorIn(row) }],
      // The span shifts by as much as its frame has moved since it was last read.
      times([utc = null]) {
        const movedUs = utc === null || row.frame_time === null ? 0 : utc - row.frame_time;
        const moved = (us: number | null) => (us === null ? null : us + movedUs);
        return { startTime: moved(row.start_time), endTime: moved(row.end_time), spans: [] };
      },
    }));
  },

  async *files(actor, id) {
    const row = await visibleAnnotations(db, actor)
      .where('annotations.id', '=', id)
      .selectAll('annotations')
      .executeTakeFirst();
    if (row === undefined) throw new AppError('notFound');
    const about = {
      ...{ title: row.title, description: row.description, annotationType: row.annotation_type, tags: row.tags },
      ...{ label: classificationOf(row.classification), author: row.author, created: iso(row.creation_time) },
      ...{ startTime: iso(row.start_time), endTime: iso(row.end_time) },
    };
    yield {
      name: 'annotation.geojson',
      bytes: json({ type: 'FeatureCollection', ...about, features: row.features }),
    };
  },

  report: { word: 'Annotation' },
  archive: annotationArchive({ db, create: annotationChanges({ db, nowUs, systemHigh: config.systemHigh }).create }),
});
