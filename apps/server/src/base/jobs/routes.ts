import {
  type Actor,
  AppError,
  cancelJob,
  classificationOf,
  type ItemNoun,
  type Job,
  listJobs,
  retryJob,
} from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../access/as-system.ts';
import { doorOf } from '../access/authorize.ts';
import { callRoute, type Http } from '../http/call-route.ts';
import { columnOf, visibleRows } from '../items/visible.ts';
import type { JobQueue } from './queue.ts';
import { itemOfJob, type JobItem, type JobRow } from './subject.ts';

/** Maximum number of open jobs listed in one response. */
const LISTED_MAX = 1000;
const OPEN = ['waiting', 'running', 'failed'];

export type JobRoutesDeps = Http & {
  db: Db;
  queue: JobQueue;
  changed: (noun: ItemNoun, ids: string[]) => void;
};

/** Routes of jobs, for accounts that may edit the item of the job. */
export function jobRoutes(deps: JobRoutesDeps): void {
  const { db, items, queue } = deps;
  const authorize = doorOf(items.access);

  callRoute(deps, listJobs, async ({ actor }) => {
    const listed = await Promise.all(
      items.kinds.flatMap((kind) => {
        if (kind.job === undefined) return [];
        const own = sql<boolean>`${sql.ref(`jobs.${kind.job}`)} = ${columnOf(kind, 'id')}`;
        return visibleRows(kind, db, actor)
          .innerJoin('jobs', (join) => join.on(own))
          .where('jobs.state', 'in', OPEN)
          .selectAll('jobs')
          .select([
            sql<string>`${columnOf(kind, kind.name)}`.as('subject_name'),
            sql<number>`${columnOf(kind, 'classification')}`.as('subject_rank'),
          ])
          .orderBy('jobs.created', 'desc')
          .limit(LISTED_MAX)
          .execute();
      }),
    );
    const newest = listed
      .flat()
      .sort((a, b) => b.created - a.created)
      .slice(0, LISTED_MAX);
    const editableRows = await editable(actor, newest);
    return editableRows.map(toJob);
  });

  callRoute(deps, retryJob, async ({ input, actor }) => {
    const job = await jobFor(actor, input.params.id);
    if (!(await queue.retry(db, job.id)))
      throw new AppError('ruleRefused', { reason: 'Only a failed or cancelled job can be tried again.' });
    notify(job);
    return { message: 'The job is tried again.' };
  });

  callRoute(deps, cancelJob, async ({ input, actor }) => {
    const job = await jobFor(actor, input.params.id);
    if (!(await queue.cancel(db, job.id))) throw new AppError('ruleRefused', { reason: 'The job has ended.' });
    notify(job);
    return { message: 'The job is cancelled.' };
  });

  function notify(job: JobRow): void {
    const item = itemOfJob(items.kinds, job);
    if (item) deps.changed(item.kind.noun as ItemNoun, [item.id]);
  }

  const factsOf = ({ kind, id }: JobItem) => items.factsOf(kind.item, asSystem(db, 'jobs'), id);

  /** Returns a job if the actor may edit its item. @throws AppError notFound, forbidden */
  async function jobFor(actor: Actor, id: string): Promise<JobRow> {
    const job = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
    const item = job && itemOfJob(items.kinds, job);
    const facts = item ? await factsOf(item) : null;
    if (!job || !item || facts === null) throw new AppError('notFound');
    authorize(actor, `${item.kind.item}.update`, facts);
    return job;
  }

  async function editable(actor: Actor, rows: readonly ListedRow[]): Promise<ListedRow[]> {
    const allowed = new Map<string, boolean>();
    const editableRows: ListedRow[] = [];
    for (const row of rows) {
      const item = itemOfJob(items.kinds, row);
      if (item === null) continue;
      if (!allowed.has(item.id)) allowed.set(item.id, await mayEdit(actor, item));
      if (allowed.get(item.id)) editableRows.push(row);
    }
    return editableRows;
  }

  async function mayEdit(actor: Actor, item: JobItem): Promise<boolean> {
    // Null if the item was moved to the bin after the job was listed.
    const facts = await factsOf(item);
    return facts !== null && items.access.can(actor, `${item.kind.item}.update`, facts).allowed;
  }
}

type ListedRow = JobRow & { subject_name: string; subject_rank: number };

const toJob = (row: ListedRow): Job => ({
  _id: row.id,
  kind: row.kind as Job['kind'],
  state: row.state as Job['state'],
  missionId: row.mission_id,
  sensorId: row.sensor_id,
  documentId: row.document_id,
  subject: { name: row.subject_name, securityClassification: classificationOf(row.subject_rank) },
  progress: row.progress,
  attempts: row.attempts,
  error: row.error,
  created: row.created,
});
