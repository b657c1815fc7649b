import type { JobKind } from './boss.ts';
import type { JobRow } from './subject.ts';

/** The subject of a job: a sensor of a mission, or a document. */
type JobSubject = {
  missionId: string | null;
  sensorId: string | null;
  fileId: string | null;
  documentId?: string | null;
};
type RecordingSubject = { missionId: string; sensorId: string; fileId: string | null };

type Work = {
  jobId: string;
  /**
   * Number of this attempt, starting at 1. An earlier attempt may have completed part of the work, so every step must
   * be repeatable.
   */
  attempt: number;
  /**
   * Aborts the work when the job is cancelled or taken over by another worker, or when the server stops. Check it
   * between steps.
   */
  signal: AbortSignal;
  /** Reports the progress, 0 to 100; stored at most every two seconds. */
  progress: (percent: number) => void;
};
export type JobContext = Work & RecordingSubject;
export type DocumentJobContext = Work & { documentId: string };

type JobOutcome = {
  jobId: string;
  outcome: 'failed' | 'cancelled';
  /** Reason, as a sentence for the user. */
  sentence: string;
};
export type JobEnd = JobOutcome & RecordingSubject;
export type DocumentJobEnd = JobOutcome & { documentId: string };

export type JobDefinition = {
  kind: JobKind;
  /**
   * Maximum number of jobs of this kind that one worker runs concurrently, in addition to quick ones. Jobs of the same
   * sensor always run one after the other.
   */
  concurrency: number;
  run: (context: Work & JobSubject) => Promise<void>;
  /**
   * Called after the last attempt or a cancellation. Puts mission, sensor and files into a state that shows the
   * outcome. May be called twice.
   */
  ended: (end: JobOutcome & JobSubject) => Promise<void>;
};

type Steps<Context, Ending> = {
  run: (context: Context) => Promise<void>;
  ended: (end: Ending) => Promise<void>;
  concurrency?: number;
};

/**
 * Defines how one kind of job on a recording is carried out. An AppError (except 503 and 507) or a FormatError is
 * caused by the input and fails the job immediately; after any other error the job is tried up to three times.
 */
export function defineJob(
  kind: JobKind,
  run: (context: JobContext) => Promise<void>,
  options: { ended: (end: JobEnd) => Promise<void>; concurrency?: number },
) {
  return definition(kind, { run, ...options }, recordingOf);
}

/** Defines how one kind of job on a document is carried out, as `defineJob` does for recordings. */
export function defineDocumentJob(
  kind: JobKind,
  run: (context: DocumentJobContext) => Promise<void>,
  options: { ended: (end: DocumentJobEnd) => Promise<void>; concurrency?: number },
) {
  return definition(kind, { run, ...options }, documentOf);
}

function definition<Subject>(
  kind: JobKind,
  { run, ended, concurrency = 1 }: Steps<Work & Subject, JobOutcome & Subject>,
  narrow: <Rest>(job: Rest & JobSubject) => Rest & Subject,
) {
  return {
    kind,
    concurrency,
    run: (context: Work & JobSubject) => run(narrow(context)),
    ended: (end: JobOutcome & JobSubject) => ended(narrow(end)),
  } satisfies JobDefinition;
}

function recordingOf<Rest>(job: Rest & JobSubject): Rest & RecordingSubject {
  const { missionId, sensorId } = job;
  if (missionId === null || sensorId === null) throw new Error('A job of a recording without a sensor');
  return { ...job, missionId, sensorId };
}

function documentOf<Rest>(job: Rest & JobSubject): Rest & { documentId: string } {
  const { documentId } = job;
  if (!documentId) throw new Error('A job of a document without one');
  return { ...job, documentId };
}

/** Ids of the subject of a job, from its row. */
export const orderOf = (row: JobRow) => ({
  jobId: row.id,
  missionId: row.mission_id,
  sensorId: row.sensor_id,
  fileId: row.file_id,
  documentId: row.document_id,
});

export const endOf = (row: JobRow, outcome: JobOutcome['outcome'], sentence: string): JobOutcome & JobSubject => ({
  ...orderOf(row),
  outcome,
  sentence,
});
