import { type Actor, AppError, can, cancelJob, type Job, listJobs, retryJob } from '@osprey/contract';
import type { Selectable } from 'kysely';
import { authorize } from '../access/authorize.ts';
import { documentFacts } from '../access/document-facts.ts';
import { missionFacts } from '../access/mission-facts.ts';
import { type Db, visible, visibleDocuments } from '../access/visibility.ts';
import type { Database } from '../db/schema.ts';
import { callRoute, type Http } from '../http/call-route.ts';
import type { JobQueue } from './queue.ts';

/** Open jobs that one answer lists. */
const LISTED_MAX = 1000;
const OPEN = ['waiting', 'running', 'failed'];

export type JobRoutesDeps = Http & {
  db: Db;
  queue: JobQueue;
  changed: (noun: 'missions' | 'documents', ids: string[]) => void;
};

/** Jobs as those see them who may edit their mission or document. */
export function jobRoutes(deps: JobRoutesDeps): void {
  const { db, queue } = deps;

  callRoute(deps, listJobs, async ({ actor }) => {
    const [ofMissions, ofDocuments] = await Promise.all([
      visible(db, actor)
        .innerJoin('jobs', 'jobs.mission_id', 'missions.id')
        .where('jobs.state', 'in', OPEN)
        .selectAll('jobs')
        .orderBy('jobs.created', 'desc')
        .limit(LISTED_MAX)
        .execute(),
      visibleDocuments(db, actor)
        .innerJoin('jobs', 'jobs.document_id', 'documents.id')
        .where('jobs.state', 'in', OPEN)
        .selectAll('jobs')
        .orderBy('jobs.created', 'desc')
        .limit(LISTED_MAX)
        .execute(),
    ]);
    const newest = [...ofMissions, ...ofDocuments].sort((a, b) => b.created - a.created).slice(0, LISTED_MAX);
    const mine = await editable(db, actor, newest);
    return mine.map(toJob);
  });

  callRoute(deps, retryJob, async ({ input, actor }) => {
    const job = await jobFor(db, actor, input.params.id);
    if (!(await queue.retry(db, job.id)))
      throw new AppError('ruleRefused', { reason: 'Only a failed or cancelled job can be tried again.' });
    tell(job);
    return { message: 'The job is tried again.' };
  });

  callRoute(deps, cancelJob, async ({ input, actor }) => {
    const job = await jobFor(db, actor, input.params.id);
    if (!(await queue.cancel(db, job.id))) throw new AppError('ruleRefused', { reason: 'The job has ended.' });
    tell(job);
    return { message: 'The job is cancelled.' };
  });

  function tell({ mission_id, document_id }: JobRow): void {
    if (mission_id !== null) deps.changed('missions', [mission_id]);
    if (document_id !== null) deps.changed('documents', [document_id]);
  }
}

type JobRow = Selectable<Database['jobs']>;

/** A job whose mission or document the actor may edit. @throws AppError notFound, forbidden */
async function jobFor(db: Db, actor: Actor, id: string): Promise<JobRow> {
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
  if (job?.document_id) {
    authorize(actor, 'document.update', await documentFacts(db, job.document_id));
    return job;
  }
  const mission = job?.mission_id ? await missionFacts(db, job.mission_id, 'upload') : null;
  if (!job || !mission) throw new AppError('notFound');
  authorize(actor, 'mission.update', mission);
  return job;
}

async function editable(db: Db, actor: Actor, rows: readonly JobRow[]): Promise<JobRow[]> {
  const allowed = new Map<string, boolean>();
  for (const row of rows) {
    const item = itemOf(row);
    if (!allowed.has(item)) allowed.set(item, await mayEdit(db, actor, row));
  }
  return rows.filter((row) => allowed.get(itemOf(row)));
}

const itemOf = ({ mission_id, document_id }: JobRow): string => mission_id ?? document_id ?? '';

async function mayEdit(db: Db, actor: Actor, { mission_id, document_id }: JobRow): Promise<boolean> {
  if (document_id !== null) {
    const facts = await documentFacts(db, document_id).catch((error) => {
      // Gone into the bin since it was listed.
      if (error instanceof AppError) return null;
      throw error;
    });
    return facts !== null && can(actor, 'document.update', facts).allowed;
  }
  const mission = mission_id === null ? null : await missionFacts(db, mission_id, 'upload');
  return mission !== null && can(actor, 'mission.update', mission).allowed;
}

const toJob = (row: JobRow): Job => ({
  _id: row.id,
  kind: row.kind as Job['kind'],
  state: row.state as Job['state'],
  missionId: row.mission_id,
  sensorId: row.sensor_id,
  documentId: row.document_id,
  progress: row.progress,
  attempts: row.attempts,
  error: row.error,
  created: row.created,
});
