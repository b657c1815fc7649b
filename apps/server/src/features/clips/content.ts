import type { Kysely } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Content } from '../../base/items/content.ts';
import { visible } from '../../base/items/visibility.ts';
import { anchorIn } from '../../media/anchors/frame-places.ts';
import { clipArchive } from './archive.ts';
import { TICK_US } from './repository.ts';
import type { SpanFilesOf } from './span-files.ts';

type Deps = { db: Kysely<Database>; spans: Pick<SpanFilesOf, 'clip'> };

export const clipContent = ({ db, spans }: Deps): Content => ({
  kind: 'clip',
  table: 'clips',
  item: 'mission',
  gone: 'select min(in_time), max(out_time) from clip_cuts where clip_id = $1',

  async missionsOf(tx, ids) {
    const rows = await asSystem(tx, 'case')
      .selectFrom('clips')
      .where('id', 'in', [...ids])
      .select('mission_id')
      .execute();
    return rows.map(({ mission_id }) => mission_id);
  },

  async read(tx, actor, id) {
    const row = await visible(tx, actor)
      .innerJoin('clips', 'clips.mission_id', 'missions.id')
      .where('clips.id', '=', id)
      .select(['clips.title', 'missions.id', 'missions.classification'])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { title, id: missionId, classification } = row;
    const cuts = await cutsOf(tx, [id]);
    const startTime = earliest(cuts.map(({ in_time }) => in_time));
    const endTime = greatest(cuts.map(({ out_time }) => out_time));
    return { title, missionId, startTime, endTime, classification };
  },

  async shown(tx, ids) {
    const [rows, cuts] = await Promise.all([
      asSystem(tx, 'case')
        .selectFrom('clips')
        .where('id', 'in', [...ids])
        .select(['id', 'title', 'mission_id'])
        .execute(),
      cutsOf(tx, ids),
    ]);
    const byClip = Map.groupBy(cuts, ({ clip_id }) => clip_id);
    return rows.map(({ id, title, mission_id }) => {
      const own = byClip.get(id) ?? [];
      return {
        ...{ id, title, deletedTime: null, missionId: mission_id },
        // Sensors that no longer exist are not named.
        sensors: own.flatMap(({ sensor_id }) => (sensor_id === null ? [] : [{ id: sensor_id, name: null }])),
        ...{ places: [], thumbnailUrl: null, picture: null, overlays: false },
        frames: own.flatMap(({ sensor_id: sensorId, ...cut }) => [
          { sensorId, anchor: anchorIn({ file_id: cut.in_file, run: cut.in_run, pts: cut.in_pts }) },
          { sensorId, anchor: anchorIn({ file_id: cut.out_file, run: cut.out_run, pts: cut.out_pts }) },
        ]),
        times(utc) {
          const dated = own.map(({ sensor_id: sensorId, in_time, out_time }, at) => {
            const [inUs = null, outUs = null] = utc.slice(2 * at, 2 * at + 2);
            const isKnown = inUs !== null && outUs !== null;
            return { sensorId, startUs: isKnown ? inUs : in_time, endUs: isKnown ? outUs + TICK_US : out_time };
          });
          return {
            startTime: earliest(dated.map(({ startUs }) => startUs)),
            endTime: greatest(dated.map(({ endUs }) => endUs)),
            spans: dated.flatMap(({ sensorId, ...span }) => (sensorId === null ? [] : [{ sensorId, ...span }])),
          };
        },
      };
    });
  },

  async *files(actor, id, how) {
    yield* (await spans.clip(actor, id, how)).entries();
  },
  cut: (actor, id, how) => spans.clip(actor, id, how),

  report: { word: 'Clip' },
  archive: clipArchive(db),
});

const earliest = (times: readonly number[]): number | null => (times.length === 0 ? null : Math.min(...times));
const greatest = (times: readonly number[]): number | null => (times.length === 0 ? null : Math.max(...times));

const cutsOf = (db: Db, clips: readonly string[]) =>
  asSystem(db, 'case')
    .selectFrom('clip_cuts')
    .where('clip_id', 'in', [...clips])
    .selectAll()
    .orderBy('position')
    .execute();
