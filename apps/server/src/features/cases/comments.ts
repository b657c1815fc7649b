import {
  type Actor,
  AppError,
  CASE_COMMENT_EDIT_MS,
  CASE_COMMENTS_MAX,
  type CaseComment,
  isAdmin,
} from '@osprey/contract';
import { type Kysely, type Selectable, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Contents } from '../../base/items/content.ts';
import { lockedCase, touchCase } from './locked.ts';
import { readCase } from './repository.ts';
import { factsOfCase, type NamedCaseFacts } from './rows.ts';

export type CaseComments = ReturnType<typeof caseComments>;

type Row = Selectable<Database['case_comments']>;
/** A comment after its change, with the facts of its case. */
export type Commented = { facts: NamedCaseFacts; comment: CaseComment };

export type CaseCommentsDeps = { db: Kysely<Database>; contents: Contents; nowUs: () => number };

/** Comments on cases, by accounts that may read the case. A withdrawn comment stays, struck through. */
export function caseComments({ db, contents, nowUs }: CaseCommentsDeps) {
  /** Lists the comments of a case that the actor may read, the oldest first. */
  async function list(actor: Actor, caseId: string): Promise<CaseComment[]> {
    const rows = await asSystem(db, 'case')
      .selectFrom('case_comments')
      .where('case_id', '=', caseId)
      .selectAll()
      .orderBy('created')
      .orderBy('id')
      .execute();
    return rows.map((row) => toComment(row, actor));
  }

  /** @throws AppError notFound, forbidden, ruleRefused */
  const add = (actor: Actor, caseId: string, text: string): Promise<Commented> =>
    inCase(actor, caseId, async (tx) => {
      const { count } = await asSystem(tx, 'authorized change')
        .selectFrom('case_comments')
        .where('case_id', '=', caseId)
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow();
      if (count >= CASE_COMMENTS_MAX) {
        throw new AppError('ruleRefused', { reason: `A case has at most ${CASE_COMMENTS_MAX} comments.` });
      }
      return tx
        .insertInto('case_comments')
        .values({ case_id: caseId, author_id: actor.id, author: actor.username, text, created: nowUs() })
        .returningAll()
        .executeTakeFirstOrThrow();
    });

  /** @throws AppError notFound, forbidden; ruleRefused where it is struck through, or older than 15 minutes */
  const update = (actor: Actor, caseId: string, commentId: string, text: string): Promise<Commented> =>
    inCase(actor, caseId, async (tx) => {
      const row = await findOwn(tx, caseId, commentId);
      if (row.author_id !== actor.id) throw new AppError('forbidden');
      const late = row.struck_time !== null || nowUs() - row.created > CASE_COMMENT_EDIT_MS * 1000;
      if (late) {
        const reason = 'A comment can be changed for 15 minutes. After that it can only be struck through.';
        throw new AppError('ruleRefused', { reason });
      }
      return write(tx, commentId, { text, edited: nowUs() });
    });

  /** @throws AppError notFound, forbidden */
  const strike = (actor: Actor, caseId: string, commentId: string): Promise<Commented> =>
    inCase(actor, caseId, async (tx) => {
      const row = await findOwn(tx, caseId, commentId);
      if (row.author_id !== actor.id && !isAdmin(actor)) throw new AppError('forbidden');
      return row.struck_time === null ? write(tx, commentId, { struck_time: nowUs(), struck_by: actor.id }) : row;
    });

  async function inCase(actor: Actor, caseId: string, change: (tx: Db) => Promise<Row>): Promise<Commented> {
    return db.transaction().execute(async (tx) => {
      const reading = { db: tx, contents };
      const facts = factsOfCase(await lockedCase(reading, actor, caseId));
      authorize(actor, 'case.comment', facts);
      const row = await change(tx);
      await touchCase(tx, caseId, { nowUs: nowUs(), wrote: true, revised: false });
      return { facts: factsOfCase(await readCase(reading, actor, facts.id)), comment: toComment(row, actor) };
    });
  }

  return { list, add, update, strike };
}

/** @throws AppError notFound */
async function findOwn(tx: Db, caseId: string, commentId: string): Promise<Row> {
  const row = await asSystem(tx, 'authorized change')
    .selectFrom('case_comments')
    .where('case_id', '=', caseId)
    .where('id', '=', commentId)
    .selectAll()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('notFound');
  return row;
}

const write = (tx: Db, id: string, fields: Partial<Row>): Promise<Row> =>
  asSystem(tx, 'authorized change')
    .updateTable('case_comments')
    .set(fields)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

const toComment = (row: Row, actor: Actor): CaseComment => ({
  _id: row.id,
  author: row.author,
  own: row.author_id === actor.id,
  text: row.text,
  created: row.created,
  edited: row.edited,
  struck: row.struck_time !== null,
});
