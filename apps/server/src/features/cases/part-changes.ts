import {
  type Actor,
  AppError,
  CASE_PARTS_MAX,
  CASE_UNDO_MS,
  type NewCasePart,
  type updateCasePart,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Contents } from '../../base/items/content.ts';
import type { CaseDb } from './contents.ts';
import { refuseLockOut } from './lock-out.ts';
import { lockedCase, touchCase } from './locked.ts';
import { type PartSource, type PartSources, sourcesOf } from './part-sources.ts';
import { isReadablePart } from './readable.ts';
import { readCase } from './repository.ts';
import { factsOfCase, type NamedCaseFacts, type StoredCase } from './rows.ts';

export type PartChanges = ReturnType<typeof partChanges>;

type ChangedPart = z.output<typeof updateCasePart.input>['body'];

/** The facts of a case after a change of its parts, and the parts concerned. */
export type ChangedParts = { facts: NamedCaseFacts; held: boolean; ids: string[]; kinds: string[] };

export type PartChangesDeps = { db: Kysely<Database>; contents: Contents; nowUs: () => number };

/** All writing of parts of cases by an actor. Each function decides about the rights in the transaction that writes. */
export function partChanges({ db, contents, nowUs }: PartChangesDeps) {
  const writing = <Result>(work: (tx: Db, reading: CaseDb) => Promise<Result>): Promise<Result> =>
    db.transaction().execute((tx) => work(tx, { db: tx, contents }));

  /** @throws AppError notFound, forbidden, partThere, wouldLockOut, hidesFromMaker, ruleRefused */
  async function add(actor: Actor, caseId: string, requested: readonly NewCasePart[], lockOut: boolean) {
    return writing(async (tx, reading) => {
      authorize(actor, 'case.update', factsOfCase(await readCase(reading, actor, caseId)));
      const sources = await sourcesOf(reading, actor, requested);
      const row = await lockedCase(reading, actor, caseId);
      authorize(actor, 'case.update', factsOfCase(row));
      const rank = Math.max(...sources.map(({ classification }) => classification));
      await refuseLockOut(tx, actor, row, { rank, confirmed: lockOut });
      const ids = await insertParts(tx, { actor, caseId, nowUs: nowUs() }, sources);
      return writeChange(reading, actor, { caseId, ids, kinds: sources.map(({ kind }) => kind) });
    });
  }

  /** @throws AppError notFound, forbidden, revisionConflict, ruleRefused */
  async function update(actor: Actor, caseId: string, partId: string, { revision, ...change }: ChangedPart) {
    return writing(async (tx, reading) => {
      await editable(reading, actor, caseId);
      const [part] = await readable(reading, actor, caseId, [partId]);
      if (part === undefined) throw new AppError('notFound');
      if (part.revision !== revision) throw new AppError('revisionConflict');
      refuseFields(part.kind, change);
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      await asSystem(tx, 'authorized change')
        .updateTable('case_parts')
        .set({ ...given, revision: sql`revision + 1` })
        .where('id', '=', partId)
        .execute();
      await touchCase(tx, caseId, { nowUs: nowUs(), wrote: true });
      return writeChange(reading, actor, { caseId, ids: [partId], kinds: [part.kind] });
    });
  }

  /** @throws AppError notFound, forbidden; ruleRefused if the case is on hold */
  async function remove(actor: Actor, caseId: string, ids: readonly string[]) {
    return writing(async (tx, reading) => {
      const row = await editable(reading, actor, caseId);
      const parts = await readable(reading, actor, caseId, ids);
      if (parts.length < new Set(ids).size) throw new AppError('notFound');
      if (row.held && parts.some(({ kind }) => kind !== 'note')) {
        const reason = `Case ${row.number} holds its parts. An administrator has to release them first.`;
        throw new AppError('ruleRefused', { reason });
      }
      await asSystem(tx, 'authorized change')
        .updateTable('case_parts')
        .set({ removed_time: nowUs(), removed_by: actor.id })
        .where('id', 'in', [...ids])
        .execute();
      await touchCase(tx, caseId, { nowUs: nowUs(), wrote: false });
      return writeChange(reading, actor, { caseId, ids: [...ids], kinds: parts.map(({ kind }) => kind) });
    });
  }

  /**
   * Restores parts that were removed within the last day. @throws AppError notFound, forbidden, partThere,
   * wouldLockOut, hidesFromMaker, ruleRefused
   */
  async function restore(actor: Actor, caseId: string, ids: readonly string[], lockOut: boolean) {
    return writing(async (tx, reading) => {
      const row = await editable(reading, actor, caseId);
      const parts = await readable(reading, actor, caseId, ids, { sinceUs: nowUs() - CASE_UNDO_MS * 1000 });
      if (parts.length < new Set(ids).size) throw new AppError('notFound');
      const rank = Math.max(...parts.map(({ classification }) => classification));
      await refuseLockOut(tx, actor, row, { rank, confirmed: lockOut });
      await refuseTwice(tx, caseId, parts);
      await refuseTooMany(tx, caseId, parts.length);
      await asSystem(tx, 'authorized change')
        .updateTable('case_parts')
        .set({ removed_time: null, removed_by: null })
        .where('id', 'in', [...ids])
        .execute();
      await touchCase(tx, caseId, { nowUs: nowUs(), wrote: false });
      return writeChange(reading, actor, { caseId, ids: [...ids], kinds: parts.map(({ kind }) => kind) });
    });
  }

  /**
   * @throws AppError notFound, forbidden, revisionConflict; ruleRefused if the list does not contain exactly the parts
   * that the actor sees
   */
  async function order(actor: Actor, caseId: string, requested: readonly string[], revision: number) {
    return writing(async (tx, reading) => {
      const row = await editable(reading, actor, caseId);
      if (row.revision !== revision) throw new AppError('revisionConflict');
      const parts = await asSystem(tx, 'authorized change')
        .selectFrom('case_parts')
        .where('case_id', '=', caseId)
        .where('removed_time', 'is', null)
        .select(['id', isReadablePart(contents, actor).as('shown')])
        .orderBy('position')
        .orderBy('id')
        .execute();
      const shown = new Set(parts.filter((part) => part.shown).map(({ id }) => id));
      if (
        requested.length !== shown.size ||
        new Set(requested).size !== shown.size ||
        !requested.every((id) => shown.has(id))
      ) {
        throw new AppError('ruleRefused', { reason: 'These are not the parts of the case. Please reload it.' });
      }
      const ids = inOrder(parts, requested);
      const placed = sql`update case_parts set position = wanted.place
        from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
        where case_parts.id = wanted.id and case_parts.position <> wanted.place`;
      await placed.execute(asSystem(tx, 'authorized change'));
      await touchCase(tx, caseId, { nowUs: nowUs(), wrote: false });
      return writeChange(reading, actor, { caseId, ids: [], kinds: [] });
    });
  }

  return { add, update, remove, restore, order };
}

/** Locks and returns a case that the actor may change. @throws AppError notFound, forbidden */
async function editable(reading: CaseDb, actor: Actor, caseId: string): Promise<StoredCase> {
  const row = await lockedCase(reading, actor, caseId);
  authorize(actor, 'case.update', factsOfCase(row));
  return row;
}

/**
 * Returns the facts after a change, whose parts may have raised the label. The caller has already checked that the
 * actor can still read the case.
 */
async function writeChange(
  reading: CaseDb,
  actor: Actor,
  { caseId, ...what }: { caseId: string; ids: string[]; kinds: string[] },
): Promise<ChangedParts> {
  const row = await readCase(reading, actor, caseId);
  return { facts: factsOfCase(row), held: row.held, ...what };
}

/** Reads those of the parts that the actor may read: parts in the case, or parts removed since the given time. */
function readable(
  { db, contents }: CaseDb,
  actor: Actor,
  caseId: string,
  ids: readonly string[],
  removed?: { sinceUs: number },
) {
  const query = asSystem(db, 'authorized change')
    .selectFrom('case_parts')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('id', 'in', [...ids])
    .where(isReadablePart(contents, actor));
  return removed === undefined
    ? query.where('removed_time', 'is', null).execute()
    : query.where('removed_time', '>', removed.sinceUs).execute();
}

/**
 * Returns the order of all parts after a reader has sorted the visible ones. Each hidden part stays behind the visible
 * part that it followed; hidden parts before all visible ones stay first.
 */
export function inOrder(parts: readonly { id: string; shown: boolean }[], requested: readonly string[]): string[] {
  const following = new Map<string | null, string[]>();
  let last: string | null = null;
  for (const { id, shown } of parts) {
    if (shown) last = id;
    else following.set(last, [...(following.get(last) ?? []), id]);
  }
  return [...(following.get(null) ?? []), ...requested.flatMap((id) => [id, ...(following.get(id) ?? [])])];
}

/** Only notes have a text, and only notes and tracks a title of their own. @throws AppError ruleRefused */
function refuseFields(kind: string, { title, text, remark }: Omit<ChangedPart, 'revision'>): void {
  const isTitled = kind === 'note' || kind === 'track';
  if (title !== undefined && !isTitled)
    throw new AppError('ruleRefused', { reason: 'Its title is that of the item and cannot be changed here.' });
  if (text !== undefined && kind !== 'note') throw new AppError('ruleRefused', { reason: 'Only notes have a text.' });
  if (remark !== undefined && kind === 'note') throw new AppError('ruleRefused', { reason: 'Notes have no remark.' });
}

type Adding = { actor: Actor; caseId: string; nowUs: number };

/** Appends parts to a case. @throws AppError partThere, ruleRefused */
export async function insertParts(tx: Db, { actor, caseId, nowUs }: Adding, sources: PartSources): Promise<string[]> {
  if (sources.length === 0) return [];
  await refuseTwice(tx, caseId, sources);
  await refuseTooMany(tx, caseId, sources.length);
  const { last } = await asSystem(tx, 'authorized change')
    .selectFrom('case_parts')
    .where('case_id', '=', caseId)
    .select(sql<number>`coalesce(max(position), 0)`.as('last'))
    .executeTakeFirstOrThrow();
  const by = { author_id: actor.id, author: actor.username, added: nowUs };
  const rows = await tx
    .insertInto('case_parts')
    .values(sources.map((source, at) => ({ ...source, ...by, case_id: caseId, position: last + at + 1 })))
    .returning('id')
    .execute();
  const wrote = sources.some(({ remark, text }) => remark !== '' || text !== null);
  await touchCase(tx, caseId, { nowUs, wrote });
  return rows.map(({ id }) => id);
}

type Shown = Pick<PartSource, 'kind' | 'title' | 'subject_id' | 'start_time' | 'end_time'>;

/** Key of the subject, which two parts of a case may not share; null for notes, and for sources that are gone. */
function subjectOf({ kind, subject_id, start_time, end_time }: Shown): string | null {
  return subject_id !== null && kind === 'track' ? `${subject_id} ${start_time} ${end_time}` : subject_id;
}

/** @throws AppError partThere */
async function refuseTwice(tx: Db, caseId: string, added: readonly Shown[]): Promise<void> {
  const there = await asSystem(tx, 'authorized change')
    .selectFrom('case_parts')
    .where('case_id', '=', caseId)
    .where('removed_time', 'is', null)
    .select(['kind', 'title', 'subject_id', 'start_time', 'end_time'])
    .execute();
  const existing = new Set(there.flatMap((part) => subjectOf(part) ?? []));
  for (const part of added) {
    const subject = subjectOf(part);
    if (subject === null) continue;
    if (existing.has(subject)) throw new AppError('partThere', { title: part.title });
    existing.add(subject);
  }
}

/** Refuses to add more parts than a case may hold. @throws AppError ruleRefused */
async function refuseTooMany(tx: Db, caseId: string, added: number): Promise<void> {
  const { count } = await asSystem(tx, 'authorized change')
    .selectFrom('case_parts')
    .where('case_id', '=', caseId)
    .where('removed_time', 'is', null)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  if (count + added > CASE_PARTS_MAX) {
    const reason = `A case has at most ${CASE_PARTS_MAX} parts. Take some out first.`;
    throw new AppError('ruleRefused', { reason });
  }
}
