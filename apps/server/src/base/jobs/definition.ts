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
  /** From 1. A job may have run before and left parts of its work: every step must bear being done again. */
  attempt: number;
  /** Ends the work: cancelled, taken over by another worker, or the server stops. Check it between steps. */
  signal: AbortSignal;
  /** 0 to 100; stored every two seconds at most. */
  progress: (percent: number) => void;
};
export type JobContext = Work & RecordingSubject;
export type DocumentJobContext = Work & { documentId: string };

type End = {
  jobId: string;
  outcome: 'failed' | 'cancelled';
  /** Reason, as a sentence for the user. */
  sentence: string;
};
export type JobEnd = End & RecordingSubject;
export type DocumentJobEnd = End & { documentId: string };

export type JobDefinition = {
  kind: JobKind;
  /**
   * Jobs of this kind at once in one worker, besides quick ones; those of one sensor always run one after the other.
   */
  concurrency: number;
  run: (context: Work & JobSubject) => Promise<void>;
  /** After the last try or a cancel: puts mission, sensor and files in a state that says so. May be called twice. */
  ended: (end: End & JobSubject) => Promise<void>;
};

type Steps<Context, Ending> = {
  run: (context: Context) => Promise<void>;
  ended: (end: Ending) => Promise<void>;
  concurrency?: number;
};

/**
 * States how one kind of job over a recording is done. An AppError (but 503 and 507) or a FormatError is the input's
 * fault and ends the job at once; anything else is tried three times.
 */
export function defineJob(
  kind: JobKind,
  run: (context: JobContext) => Promise<void>,
  options: { ended: (end: JobEnd) => Promise<void>; concurrency?: number },
) {
  return definition(kind, { run, ...options }, recordingOf);
}

/** States how one kind of job over a document is done, as `defineJob` does for recordings. */
export function defineDocumentJob(
  kind: JobKind,
  run: (context: DocumentJobContext) => Promise<void>,
  options: { ended: (end: DocumentJobEnd) => Promise<void>; concurrency?: number },
) {
  return definition(kind, { run, ...options }, documentOf);
}

function definition<Subject>(
  kind: JobKind,
  { run, ended, concurrency = 1 }: Steps<Work & Subject, End & Subject>,
  narrow: <Rest>(job: Rest & JobSubject) => Rest & Subject,
) {
  return {
    kind,
    concurrency,
    run: (context: Work & JobSubject) => run(narrow(context)),
    ended: (end: End & JobSubject) => ended(narrow(end)),
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

export const endOf = (row: JobRow, outcome: End['outcome'], sentence: string): End & JobSubject => ({
  ...orderOf(row),
  outcome,
  sentence,
});
