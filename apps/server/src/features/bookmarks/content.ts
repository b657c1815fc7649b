import { AppError, classificationOf } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Content } from '../../base/items/content.ts';
import { iso, json } from '../../base/items/content-files.ts';
import { nameOfSensor } from '../../base/items/sensors.ts';
import { visible } from '../../base/items/visibility.ts';
import { fileBytes } from '../../base/storage/file-bytes.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { anchorIn } from '../../media/anchors/frame-places.ts';
import { pictureKey } from '../../media/index/picture-files.ts';
import { bookmarkArchive } from './archive.ts';

type Deps = { db: Db; storage: Pick<Storage, 'read'> };

export const bookmarkContent = ({ db, storage }: Deps): Content => ({
  kind: 'bookmark',
  table: 'bookmarks',
  item: 'mission',
  gone: 'select last_time, null::bigint from bookmarks where id = $1',

  async missionsOf(tx, ids) {
    const rows = await asSystem(tx, 'case')
      .selectFrom('bookmarks')
      .where('id', 'in', [...ids])
      .select('mission_id')
      .execute();
    return rows.map(({ mission_id }) => mission_id);
  },

  async read(tx, actor, id) {
    const row = await visible(tx, actor)
      .innerJoin('bookmarks', 'bookmarks.mission_id', 'missions.id')
      .where('bookmarks.id', '=', id)
      .where('bookmarks.deleted_time', 'is', null)
      .select(['bookmarks.title', 'bookmarks.last_time', 'missions.id', 'missions.classification'])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { title, last_time: startTime, id: missionId, classification } = row;
    return { title, missionId, startTime, endTime: null, classification };
  },

  async shown(tx, ids) {
    const rows = await asSystem(tx, 'case')
      .selectFrom('bookmarks')
      .where('id', 'in', [...ids])
      .select(['id', 'title', 'deleted_time', 'mission_id', 'sensor_id', 'thumbnail', 'last_time'])
      .select(['file_id', 'run', 'pts'])
      .execute();
    return rows.map(({ id, title, mission_id, sensor_id: sensorId, thumbnail, ...row }) => ({
      ...{ id, title, deletedTime: row.deleted_time, missionId: mission_id },
      ...{ sensors: [{ id: sensorId, name: null }], places: [], picture: null, overlays: false },
      thumbnailUrl: thumbnail === null ? null : `/videos/${mission_id}/${thumbnail}`,
      frames: [{ sensorId, anchor: anchorIn(row) }],
      times([utc = null]) {
        const startUs = utc ?? row.last_time;
        const spans = sensorId === null ? [] : [{ sensorId, startUs, endUs: startUs }];
        return { startTime: startUs, endTime: null, spans };
      },
    }));
  },

  async *files(actor, id) {
    const row = await visible(db, actor)
      .innerJoin('bookmarks', 'bookmarks.mission_id', 'missions.id')
      .where('bookmarks.id', '=', id)
      .where('bookmarks.deleted_time', 'is', null)
      .selectAll('bookmarks')
      .select(['missions.name as mission_name', 'missions.classification'])
      .select(nameOfSensor('bookmarks.sensor_id').as('sensor_name'))
      .executeTakeFirst();
    if (row === undefined) throw new AppError('notFound');
    yield {
      name: 'bookmark.json',
      bytes: json({
        ...{ title: row.title, text: row.text, tags: row.tags, color: row.color, time: iso(row.last_time) },
        ...{ label: classificationOf(row.classification), mission: row.mission_name, sensor: row.sensor_name },
        frame: row.file_id === null ? null : { file: row.file_id, run: row.run, pts: row.pts },
        ...{ author: row.author, created: iso(row.created) },
      }),
    };
    if (row.thumbnail === null) return;
    const picture = await fileBytes(storage, pictureKey(row.mission_id, row.thumbnail));
    if (picture !== null) yield { name: 'picture.jpg', bytes: picture };
  },

  report: { word: 'Bookmark' },
  archive: bookmarkArchive(db),
});
