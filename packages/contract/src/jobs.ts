import { z } from 'zod';
import { classifications } from './access/classifications.ts';
import { defineCall, done, id, micros } from './core/call.ts';

export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

/**
 * Background work that outlasts a request. Accounts that may edit the mission or the document can see and control it.
 */
export const job = z.object({
  _id: id,
  kind: z.enum(['ingest', 'transcode', 'thumbnails', 'archive', 'document']),
  state: z.enum(jobStates),
  /** Mission and sensor of the recording; null for the job of a document. */
  missionId: id.nullable(),
  sensorId: id.nullable(),
  documentId: id.nullable(),
  /** Name and label of the mission or document. */
  subject: z.object({ name: z.string(), securityClassification: z.enum(classifications) }),
  /** Progress in percent, from 0 to 100. */
  progress: z.number(),
  attempts: z.int(),
  error: z.string().nullable(),
  created: micros,
});
export type Job = z.output<typeof job>;
export type RecordingJob = Job & { missionId: string; sensorId: string };

export const isOfRecording = (one: Job): one is RecordingJob => one.missionId !== null && one.sensorId !== null;

export const listJobs = defineCall({
  method: 'GET',
  path: '/jobs',
  summary: 'Lists unfinished jobs of missions and documents that the caller may edit',
  action: 'mission.createAny',
  input: z.object({}),
  answer: z.array(job),
  errors: ['notSignedIn', 'forbidden'],
});

export const retryJob = defineCall({
  method: 'POST',
  path: '/jobs/:id/retry',
  summary: 'Retries a failed job',
  action: 'mission.update',
  input: z.object({ params: z.object({ id }) }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound', 'ruleRefused'],
});

export const cancelJob = defineCall({
  method: 'DELETE',
  path: '/jobs/:id',
  summary: 'Cancels a waiting or running job',
  action: 'mission.update',
  input: z.object({ params: z.object({ id }) }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound', 'ruleRefused'],
});
