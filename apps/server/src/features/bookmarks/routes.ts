import {
  type Actor,
  createBookmark,
  deleteBookmarks,
  listBookmarks,
  restoreBookmarks,
  updateBookmark,
} from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { auditedParts } from '../../base/audit/item-notes.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { bookmarkChanges, ChangedMarks, MarkedSensor } from './changes.ts';
import type { BookmarkRepository } from './repository.ts';
import { factsOfMark, type MarkedMission } from './rows.ts';

export type BookmarkRoutesDeps = Http & {
  bookmarks: BookmarkRepository;
  changes: ReturnType<typeof bookmarkChanges>;
  /** Returns a mission by id or name, if the actor may read it. @throws AppError notFound */
  missionOf: (actor: Actor, idOrName: string) => Promise<MarkedMission>;
  /** Returns the sensor to bookmark, for changes. @throws AppError notFound, missionRenamed */
  sensorOf: (actor: Actor, mission: string, sensor: string) => Promise<MarkedSensor>;
  changed: (noun: 'bookmarks', missionIds: string[]) => void;
};

export function bookmarkRoutes(deps: BookmarkRoutesDeps): void {
  const { bookmarks, changes, missionOf, sensorOf, changed } = deps;

  callRoute(deps, listBookmarks, async ({ input: { query }, actor, audit }) => {
    const mission = await missionOf(actor, query.missionIdOrName);
    authorize(actor, 'bookmark.read', factsOfMark(mission, { author_id: null }));
    await audit.read('bookmark.read', mission);
    return bookmarks.ofMission(actor, mission);
  });

  callRoute(deps, createBookmark, async ({ input: { body }, actor, audit }) => {
    const sensor = await sensorOf(actor, body.missionIdOrName, body.sensorIdOrName);
    const { mission } = sensor;
    const id = await changes.create(actor, sensor, body);
    await audit.write(auditedParts('bookmark.create', mission, [id]));
    changed('bookmarks', [mission.id]);
    return { ...(await bookmarks.one(actor, mission, id)), message: `Bookmark ${body.title} added.` };
  });

  callRoute(deps, updateBookmark, async ({ input: { params, body }, actor, audit }) => {
    const mission = await changes.update(actor, params.id, body);
    await audit.write(auditedParts('bookmark.update', mission, [params.id]));
    changed('bookmarks', [mission.id]);
    return bookmarks.one(actor, await missionOf(actor, mission.id), params.id);
  });

  callRoute(deps, deleteBookmarks, async ({ input: { body }, actor, audit }) => {
    const done = await changes.remove(actor, body.bookmarks);
    for (const { facts, ids } of done.missions) await audit.write(auditedParts('bookmark.delete', facts, ids));
    notify(done);
    return { message: `Bookmark(s) ${done.titles.join(', ')} deleted.` };
  });

  callRoute(deps, restoreBookmarks, async ({ input: { body }, actor, audit }) => {
    const done = await changes.restore(actor, body.bookmarks);
    for (const { facts, ids } of done.missions) await audit.write(auditedParts('bookmark.restore', facts, ids));
    notify(done);
    return { message: `Bookmark(s) ${done.titles.join(', ')} restored.` };
  });

  const notify = ({ missions }: ChangedMarks) =>
    changed(
      'bookmarks',
      missions.map(({ facts }) => facts.id),
    );
}
