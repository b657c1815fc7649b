import {
  type Actor,
  AppError,
  createSavedSearch,
  deleteSavedSearch,
  findFilter,
  listSavedSearches,
  SAVED_SEARCHES_MAX,
  type SavedSearch,
  type TargetShape,
  targetShape,
  updateSavedSearch,
} from '@osprey/contract';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { visibleAnnotations } from '../../base/items/visibility.ts';

const TOO_MANY = `An account has at most ${SAVED_SEARCHES_MAX} saved searches. Delete one first.`;
const NAME_TAKEN = 'You already have a saved search with this name.';

type Row = Selectable<Database['saved_searches']>;
export const storedQuestion = z.object({ shape: targetShape, filter: findFilter });

/** Serves saved searches. Only the owner of a search can see, change and count it. */
export function savedSearchRoutes(deps: Http & { db: Kysely<Database> }): void {
  const { db, nowUs } = deps;
  const own = (userId: string) => db.selectFrom('saved_searches').selectAll().where('user_id', '=', userId);

  /** Refuses a hidden annotation in the same way as an absent one. @throws AppError notFound */
  async function requireReadable(actor: Actor, shape: TargetShape): Promise<void> {
    if (shape.type !== 'Annotation') return;
    const row = visibleAnnotations(db, actor).select('annotations.id').where('annotations.id', '=', shape.id);
    if ((await row.executeTakeFirst()) === undefined) throw new AppError('notFound');
  }

  callRoute(deps, listSavedSearches, async ({ actor }) =>
    (await own(actor.id).orderBy('name').limit(SAVED_SEARCHES_MAX).execute()).map(toSearch),
  );

  callRoute(deps, createSavedSearch, async ({ input: { body }, actor }) => {
    const { name, shape, filter, notify } = body;
    await requireReadable(actor, shape);
    return db.transaction().execute(async (tx) => {
      await lockOf(tx, actor.id);
      const existing = await tx.selectFrom('saved_searches').select('name').where('user_id', '=', actor.id).execute();
      if (existing.some((one) => one.name === name)) throw new AppError('ruleRefused', { reason: NAME_TAKEN });
      if (existing.length >= SAVED_SEARCHES_MAX) throw new AppError('ruleRefused', { reason: TOO_MANY });
      const question = JSON.stringify({ shape, filter });
      const row = { user_id: actor.id, name, question, notify, created: nowUs() };
      return toSearch(await tx.insertInto('saved_searches').values(row).returningAll().executeTakeFirstOrThrow());
    });
  });

  callRoute(deps, updateSavedSearch, async ({ input: { params, body }, actor }) => {
    if (body.shape) await requireReadable(actor, body.shape);
    return db.transaction().execute(async (tx) => {
      await lockOf(tx, actor.id);
      const rows = await tx.selectFrom('saved_searches').selectAll().where('user_id', '=', actor.id).execute();
      const before = rows.find(({ id }) => id === params.id);
      if (!before) throw new AppError('notFound');
      const existing = toSearch(before);
      const { name = existing.name, shape = existing.shape, filter = existing.filter, notify = existing.notify } = body;
      if (rows.some((one) => one.name === name && one.id !== before.id)) {
        throw new AppError('ruleRefused', { reason: NAME_TAKEN });
      }
      const question = JSON.stringify({ shape, filter });
      const isOther = body.shape !== undefined || body.filter !== undefined;
      await tx
        .updateTable('saved_searches')
        .set({ name, question, notify, ...(isOther && { probes: null }) })
        .where('id', '=', before.id)
        .execute();
      // Hits of the search before the change do not apply to the changed one.
      if (isOther) await tx.deleteFrom('search_hits').where('search_id', '=', before.id).execute();
      return { ...existing, name, shape, filter, notify };
    });
  });

  callRoute(deps, deleteSavedSearch, async ({ input: { params }, actor }) => {
    const deleted = await db
      .deleteFrom('saved_searches')
      .where('id', '=', params.id)
      .where('user_id', '=', actor.id)
      .returning('id')
      .executeTakeFirst();
    if (!deleted) throw new AppError('notFound');
    return { message: 'Deleted' };
  });
}

/** Locks the searches of an account, since two simultaneous changes could exceed the limit or use the same name. */
const lockOf = (tx: Kysely<Database>, userId: string) =>
  tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();

function toSearch({ id, name, question, notify, created }: Row): SavedSearch {
  return { _id: id, name, notify, created, ...storedQuestion.parse(question) };
}
