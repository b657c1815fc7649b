import {
  type Actor,
  AppError,
  type ChangedCase,
  type Classification,
  classificationOf,
  classificationRank,
  isAdmin,
  type NewCase,
  REASON_MIN,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import { knowsGroup } from '../../base/access/known-groups.ts';
import { compareSharing, needReason, refuseSharing, requestedFacts } from '../../base/access/sharing.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Contents } from '../../base/items/content.ts';
import { shareOnlyWith, shareWith } from '../../base/items/shared-with.ts';
import { casesInBin } from '../../base/items/visibility.ts';
import { lockedCase, lockedCases, lockHeld } from './locked.ts';
import { insertParts } from './part-changes.ts';
import { type PartSources, sourcesOf } from './part-sources.ts';
import { findNewOwner, peopleFor, refuseUnknownEditors } from './people.ts';
import { factsOfCase, type NamedCaseFacts, type StoredCase, selectCase } from './rows.ts';

export type CaseChanges = ReturnType<typeof caseChanges>;

/** Change of a case's rights by an update, for the audit. */
export type CaseChange = { before: NamedCaseFacts; after: NamedCaseFacts; reason: string | null };

type HandOver = { owner: string; staysEditor: boolean };

export type CaseChangesDeps = {
  db: Kysely<Database>;
  contents: Contents;
  nowUs: () => number;
  /** The highest label of this installation; unmarked items are treated as having it. */
  systemHigh: Classification;
};

/** All changes of cases themselves by an actor. Each function checks the rights in the same transaction that writes. */
export function caseChanges({ db, contents, nowUs, systemHigh }: CaseChangesDeps) {
  /** @throws AppError forbidden, notFound for a part, partThere, and the refusals of sharing */
  async function create(actor: Actor, requested: NewCase): Promise<string> {
    return db.transaction().execute(async (tx) => {
      const sources = await sourcesOf({ db: tx, contents }, actor, requested.parts);
      const own = requested.securityClassification ?? labelOf(sources, systemHigh);
      const securityClassification = classificationOf(Math.max(classificationRank(own), highestOf(sources)));
      const { audience, usergroups } = requested;
      const facts = {
        ...{ securityClassification, audience, usergroups },
        ...{ draft: false, authorId: actor.id, editors: [] },
      };
      authorize(actor, 'case.create', facts);
      await refuseSharing(tx, actor, facts);
      const { id } = await tx
        .insertInto('cases')
        .values({
          name: requested.name,
          description: requested.description,
          // A description gets the label of the case including its parts.
          own_classification: classificationRank(requested.description === '' ? own : securityClassification),
          classification: classificationRank(securityClassification),
          marked: requested.securityClassification !== undefined || sources.length > 0,
          audience,
          owner_id: actor.id,
          owner: actor.username,
          created: nowUs(),
          changed: nowUs(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await shareWith(tx, 'case', { id, usergroups });
      await insertParts(tx, { actor, caseId: id, nowUs: nowUs() }, sources);
      return id;
    });
  }

  /** @throws AppError notFound, forbidden, revisionConflict, reasonNeeded, and the refusals of sharing */
  async function update(actor: Actor, id: string, change: ChangedCase): Promise<CaseChange> {
    return db.transaction().execute(async (tx) => {
      const row = await lockedCase({ db: tx, contents }, actor, id);
      const before = factsOfCase(row);
      authorize(actor, 'case.update', before);
      if (change.revision !== row.revision) throw new AppError('revisionConflict');

      // Usergroups that the actor does not know of are kept.
      const unknown = before.usergroups.filter((group) => !knowsGroup(actor, group));
      const usergroups = change.usergroups && [...new Set([...change.usergroups, ...unknown])];
      const oldOwn = classificationOf(row.own_classification);
      const own = ownAfter(row, change);
      const label = classificationOf(Math.max(classificationRank(own), await highestPart(tx, id)));
      const after = {
        ...requestedFacts(before, { securityClassification: label, audience: change.audience, usergroups }),
        editors: change.editors ?? before.editors,
      };
      const sharing = compareSharing(
        { ...before, securityClassification: oldOwn },
        { ...after, securityClassification: own },
      );
      if (sharing.changes || isOther(before.editors, after.editors)) authorize(actor, 'case.own', before);
      if (sharing.changes) await refuseSharing(tx, actor, after, before.usergroups);
      if (sharing.widened) {
        authorize(actor, 'case.lower', before);
        needReason(change.reason);
      }
      const named = after.editors.filter((editor) => !before.editors.includes(editor));
      if (named.length > 0) await refuseUnknownEditors(tx, actor, after, named);
      await asSystem(tx, 'authorized change')
        .updateTable('cases')
        .set({
          ...(change.name === undefined ? {} : { name: change.name }),
          ...(change.description === undefined ? {} : { description: change.description }),
          own_classification: classificationRank(own),
          marked: row.marked || change.securityClassification !== undefined,
          audience: after.audience,
          changed: nowUs(),
          revision: sql`revision + 1`,
        })
        .where('id', '=', id)
        .execute();
      await shareOnlyWith(tx, 'case', row, after.usergroups);
      await changeEditors(tx, id, before.editors, after.editors);
      return { before, after, reason: change.reason ?? null };
    });
  }

  /**
   * Moves cases to the bin, all or none. Label and audience remain unchanged. Returns the rows as they were before.
   *
   * @throws AppError notFound, forbidden; ruleRefused for a case that is on hold
   */
  async function remove(actor: Actor, ids: readonly string[]): Promise<StoredCase[]> {
    return db.transaction().execute(async (tx) => {
      const rows = await lockedCases({ db: tx, contents }, actor, ids);
      for (const row of rows) authorize(actor, 'case.delete', factsOfCase(row));
      const holding = rows.find(({ held }) => held);
      if (holding !== undefined) {
        const reason = `Case ${holding.number} holds its parts. An administrator has to release them first.`;
        throw new AppError('ruleRefused', { reason });
      }
      await asSystem(tx, 'authorized change')
        .updateTable('cases')
        .set({ deleted_time: nowUs(), deleted_by: actor.id, revision: sql`revision + 1` })
        .where('id', 'in', [...ids])
        .execute();
      return rows;
    });
  }

  /**
   * Takes cases out of the bin, all or none. Only admins see cases that others deleted. @throws AppError notFound,
   * forbidden
   */
  async function restore(actor: Actor, ids: readonly string[]): Promise<StoredCase[]> {
    return db.transaction().execute(async (tx) => {
      let query = selectCase({ db: tx, contents }, actor, casesInBin(tx, actor)).where('cases.id', 'in', [...ids]);
      if (!isAdmin(actor)) query = query.where('cases.deleted_by', '=', actor.id);
      const rows = await query.execute();
      for (const row of rows) authorize(actor, 'case.delete', factsOfCase(row));
      if (rows.length < new Set(ids).size) throw new AppError('notFound');
      await asSystem(tx, 'authorized change')
        .updateTable('cases')
        .set({ deleted_time: null, deleted_by: null, revision: sql`revision + 1` })
        .where('id', 'in', [...ids])
        .execute();
      return rows;
    });
  }

  /**
   * Places a case on hold or releases it. Returns the row as it was before. @throws AppError notFound, forbidden,
   * holdReasonNeeded
   */
  async function hold(actor: Actor, id: string, held: boolean, reason: string | undefined): Promise<StoredCase> {
    return db.transaction().execute(async (tx) => {
      if (held) await lockHeld({ db: tx, contents }, id);
      const row = await lockedCase({ db: tx, contents }, actor, id);
      authorize(actor, 'case.hold', factsOfCase(row));
      if (row.held && !held && (reason ?? '').trim().length < REASON_MIN) throw new AppError('holdReasonNeeded');
      const by = held ? { held_time: nowUs(), held_by: actor.id } : { held_time: null, held_by: null };
      if (row.held !== held) {
        await asSystem(tx, 'authorized change')
          .updateTable('cases')
          .set({ held, ...by, changed: nowUs(), revision: sql`revision + 1` })
          .where('id', '=', id)
          .execute();
      }
      return row;
    });
  }

  /** @throws AppError notFound, forbidden, invalid if the account cannot own the case */
  async function handOver(actor: Actor, id: string, { owner, staysEditor }: HandOver): Promise<CaseChange> {
    return db.transaction().execute(async (tx) => {
      const before = factsOfCase(await lockedCase({ db: tx, contents }, actor, id));
      authorize(actor, 'case.own', before);
      const next = await findNewOwner(tx, actor, before, owner);
      const editors = before.editors.filter((editor) => editor !== owner);
      const after = { ...before, authorId: owner, editors };
      const able = await peopleFor(tx, actor, after, 'editor');
      if (staysEditor && able.some(({ _id }) => _id === before.authorId)) editors.push(before.authorId!);
      await asSystem(tx, 'authorized change')
        .updateTable('cases')
        .set({ owner_id: owner, owner: next.username, changed: nowUs(), revision: sql`revision + 1` })
        .where('id', '=', id)
        .execute();
      await changeEditors(tx, id, before.editors, editors);
      return { before, after, reason: null };
    });
  }

  return { create, update, remove, restore, hold, handOver };
}

const highestOf = (sources: PartSources): number => Math.max(1, ...sources.map(({ classification }) => classification));

/** The label that parts give to a new case; without parts the highest of the installation. */
const labelOf = (sources: PartSources, systemHigh: Classification): Classification =>
  sources.length === 0 ? systemHigh : classificationOf(highestOf(sources));

/**
 * The label of the description after a change: a new description has the label that the case has when it is written.
 */
function ownAfter(row: StoredCase, { securityClassification, description }: ChangedCase): Classification {
  if (securityClassification !== undefined) return securityClassification;
  return classificationOf(description === undefined ? row.own_classification : row.classification);
}

const isOther = (before: readonly string[], after: readonly string[]): boolean =>
  before.length !== after.length || after.some((id) => !before.includes(id));

/** Returns the rank of the highest label among all parts of a case, including those hidden from the actor. */
async function highestPart(tx: Db, caseId: string): Promise<number> {
  const row = await asSystem(tx, 'authorized change')
    .selectFrom('case_parts')
    .where('case_id', '=', caseId)
    .where('removed_time', 'is', null)
    .select(sql<number>`coalesce(max(classification), 1)`.as('highest'))
    .executeTakeFirstOrThrow();
  return row.highest;
}

async function changeEditors(tx: Db, caseId: string, before: readonly string[], after: readonly string[]) {
  const gone = before.filter((id) => !after.includes(id));
  if (gone.length > 0) {
    await asSystem(tx, 'authorized change')
      .deleteFrom('case_editors')
      .where('case_id', '=', caseId)
      .where('user_id', 'in', gone)
      .execute();
  }
  const added = after.filter((id) => !before.includes(id)).map((user_id) => ({ case_id: caseId, user_id }));
  if (added.length > 0) await tx.insertInto('case_editors').values(added).execute();
}
