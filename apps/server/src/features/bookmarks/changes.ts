import {
  type Actor,
  AppError,
  BOOKMARK_UNDO_MS,
  BOOKMARKS_MAX,
  type createBookmark,
  type updateBookmark,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import type { Database } from '../../base/db/schema.ts';
import { refuseOnHold } from '../../base/items/case-hold.ts';
import { missionFacts } from '../../base/items/mission-facts.ts';
import { visible } from '../../base/items/visibility.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { columnsOf } from '../../media/anchors/frame-places.ts';
import type { PlacesDeps } from './places.ts';
import { factsOfMark, type MarkedMission, type MissionRights } from './rows.ts';
import { chosenPicture } from './thumbnail.ts';

export type NewBookmark = z.output<typeof createBookmark.input>['body'];
export type ChangedBookmark = z.output<typeof updateBookmark.input>['body'];

/**
 * The sensor to bookmark, with its mission. `isRecording` means that it is being recorded and nothing of it has been
 * read yet.
 */
export type MarkedSensor = { id: string; isRecording: boolean; mission: MarkedMission };

/** Titles and missions of what was changed, for messages, audit and events. */
export type ChangedMarks = { titles: string[]; missions: { facts: MissionRights; ids: string[] }[] };

export type BookmarkChangesDeps = PlacesDeps & { db: Kysely<Database>; storage: Storage; nowUs: () => number };

/** All changes of bookmarks by an actor. Rights are checked with the facts of their missions. */
export function bookmarkChanges({ db, storage, anchors, nowUs }: BookmarkChangesDeps) {
  /** Creates a bookmark and returns its id. @throws AppError notFound, forbidden, invalid, ruleRefused */
  async function create(actor: Actor, sensor: MarkedSensor, requested: NewBookmark): Promise<string> {
    const { mission } = sensor;
    authorize(actor, 'bookmark.create', factsOfMark(mission, { author_id: actor.id }));
    const thumbnail = await chosenPicture(storage, mission, requested.thumbnailUrl ?? null);
    const { anchor, timeUs } = await frameOf(sensor, requested);
    return db.transaction().execute(async (tx) => {
      const { count } = await asSystem(tx, 'authorized change')
        .selectFrom('bookmarks')
        .where('mission_id', '=', mission.id)
        .where('deleted_time', 'is', null)
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow();
      if (count >= BOOKMARKS_MAX) {
        const reason = `The mission has ${BOOKMARKS_MAX} bookmarks, which is the most. Delete some first.`;
        throw new AppError('ruleRefused', { reason });
      }
      const { id } = await tx
        .insertInto('bookmarks')
        .values({
          mission_id: mission.id,
          sensor_id: sensor.id,
          ...columnsOf(anchor),
          last_time: timeUs,
          title: requested.title,
          text: requested.text,
          color: requested.color,
          tags: requested.tags,
          thumbnail,
          author_id: actor.id,
          author: actor.username,
          editor: actor.username,
          created: nowUs(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    });
  }

  /**
   * Finds the frame to bookmark. While the sensor is being recorded the frame is null and only its time is known.
   * @throws AppError ruleRefused
   */
  async function frameOf({ id, isRecording, mission }: MarkedSensor, requested: NewBookmark) {
    if (requested.anchor !== undefined) {
      const [timeUs = null] = await anchors.times(id, [requested.anchor]);
      if (timeUs === null) throw new AppError('ruleRefused', { reason: 'The sensor does not show this frame.' });
      return { anchor: requested.anchor, timeUs };
    }
    const startUs = requested.startTime ?? mission.startTime;
    if (startUs === null) throw new AppError('ruleRefused', { reason: 'The mission has no times yet.' });
    const timeUs = Math.round(startUs + (requested.position ?? 0) * 1e6);
    const anchor = await anchors.at(id, timeUs);
    if (anchor !== null) return { anchor, timeUs };
    if (isRecording) return { anchor: null, timeUs };
    throw new AppError('ruleRefused', { reason: 'The sensor shows nothing at this time. Go to a recorded moment.' });
  }

  /** Changes a bookmark and returns its mission. @throws AppError notFound, forbidden, revisionConflict */
  async function update(actor: Actor, id: string, { revision, ...fields }: ChangedBookmark): Promise<MissionRights> {
    return db.transaction().execute(async (tx) => {
      const [row] = await lockedRows(tx, actor, [id], { deletedAfterUs: null });
      if (row === undefined) throw new AppError('notFound');
      const mission = await factsOfMission(tx, row.mission_id);
      authorize(actor, 'bookmark.update', factsOfMark(mission, row));
      if (revision !== row.revision) throw new AppError('revisionConflict');
      const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      await asSystem(tx, 'authorized change')
        .updateTable('bookmarks')
        .set({ ...given, editor: actor.username, revision: sql`revision + 1` })
        .where('id', '=', id)
        .execute();
      return mission;
    });
  }

  /** Deletes bookmarks, all or none. @throws AppError notFound, forbidden */
  const remove = (actor: Actor, ids: readonly string[]) => setDeleted(actor, ids, nowUs());

  /** Restores bookmarks deleted within the last day, all or none. @throws AppError notFound, forbidden */
  const restore = (actor: Actor, ids: readonly string[]) => setDeleted(actor, ids, null);

  async function setDeleted(actor: Actor, ids: readonly string[], deletedUs: number | null): Promise<ChangedMarks> {
    const requested = [...new Set(ids)];
    const deletedAfterUs = deletedUs === null ? nowUs() - BOOKMARK_UNDO_MS * 1000 : null;
    return db.transaction().execute(async (tx) => {
      const rows = await lockedRows(tx, actor, requested, { deletedAfterUs });
      if (rows.length < requested.length) throw new AppError('notFound');
      const missions: ChangedMarks['missions'] = [];
      for (const [missionId, own] of Map.groupBy(rows, ({ mission_id }) => mission_id)) {
        const facts = await factsOfMission(tx, missionId);
        for (const row of own) authorize(actor, 'bookmark.delete', factsOfMark(facts, row));
        missions.push({ facts, ids: own.map(({ id }) => id) });
      }
      if (deletedUs !== null) {
        await refuseOnHold(
          tx,
          actor,
          'subject_id',
          rows.map(({ id, title: name }) => ({ id, name })),
        );
      }
      await asSystem(tx, 'authorized change')
        .updateTable('bookmarks')
        .set({ deleted_time: deletedUs, editor: actor.username, revision: sql`revision + 1` })
        .where('id', 'in', requested)
        .execute();
      const titles = new Map(rows.map(({ id, title }) => [id, title]));
      return { missions, titles: requested.flatMap((id) => titles.get(id) ?? []) };
    });
  }

  return { create, update, remove, restore };
}

async function factsOfMission(tx: Db, missionId: string): Promise<MissionRights> {
  const facts = await missionFacts(tx, missionId, 'authorized change');
  if (facts === null) throw new AppError('notFound');
  return facts;
}

/** Bookmarks of missions that the actor may read: existing ones, or those that were deleted since. */
function lockedRows(
  tx: Db,
  actor: Actor,
  ids: readonly string[],
  { deletedAfterUs }: { deletedAfterUs: number | null },
) {
  const rows = visible(tx, actor)
    .innerJoin('bookmarks', 'bookmarks.mission_id', 'missions.id')
    .where('bookmarks.id', 'in', [...ids])
    .select(['bookmarks.id', 'mission_id', 'title', 'bookmarks.author_id', 'bookmarks.revision'])
    .forUpdate('bookmarks');
  return deletedAfterUs === null
    ? rows.where('bookmarks.deleted_time', 'is', null).execute()
    : rows.where('bookmarks.deleted_time', '>=', deletedAfterUs).execute();
}
