import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, id, micros } from './core/call.ts';

/** Faults of a stored file: it is gone, of another length, holds other bytes, or its disk gives none. */
export const storedFaults = ['missing', 'size', 'content', 'unreadable'] as const;

/** Characters of the reason for which a loss is accepted. */
export const LOSS_REASON_MIN = 10;
const LOSS_REASON_MAX = 500;

export const storedCheck = z.object({
  /** The share of stored bytes that was read again last, or is being read; null before the first. */
  last: z
    .object({
      started: micros,
      /** Null while it runs, or waits for recordings to end. */
      ended: micros.nullable(),
      files: z.int(),
      bytes: z.int(),
      /** As much as belongs to the share; the last file is read to its end. */
      wantedBytes: z.int(),
      /** Files of this share that are not what was stored. */
      damaged: z.int(),
    })
    .nullable(),
  /** Bytes of all recordings' files and documents. */
  totalBytes: z.int(),
  /** Files of recordings that have no SHA-256 yet. */
  notHashed: z.int(),
  /** Files that are damaged, and neither restored nor given up. */
  damaged: z.int(),
  /** When the bytes that are unread for the longest time were written or read; null where there are none. */
  oldestRead: micros.nullable(),
  /** Bytes a second at which the last share was read, pauses included; null before the first. */
  rate: z.number().nullable(),
});
export type StoredCheckFacts = z.output<typeof storedCheck>;

export const getStoredCheck = defineCall({
  method: 'GET',
  path: '/stored/check',
  summary: 'Returns progress and results of the daily check of stored files',
  action: 'retention.manage',
  input: z.object({}),
  answer: storedCheck,
  errors: ['notSignedIn', 'forbidden'],
});

export const damagedKinds = { recording: 'recording', document: 'document' } as const;

export const damagedItem = z.object({
  _id: id,
  kind: z.enum(damagedKinds),
  /** As the user's machine had it. */
  name: z.string(),
  /** Mission of a recording. */
  mission: z.object({ _id: id, name: z.string(), sensor: z.string() }).nullable(),
  securityClassification: classificationWord,
  fault: z.enum(storedFaults),
  /** The fault, without a full stop. */
  text: z.string(),
  sizeBytes: z.int(),
  found: micros,
  /** A backup holds the content that was stored. */
  restorable: z.boolean(),
  /** 0 to 100 while it is being restored or waits for it; null otherwise. */
  progress: z.number().nullable(),
  /** A sentence that says why it could not be restored when that was last tried. */
  error: z.string().nullable(),
});
export type DamagedItem = z.output<typeof damagedItem>;

export const listDamagedItems = defineCall({
  method: 'GET',
  path: '/stored/damaged',
  summary: 'Lists damaged files that are neither restored nor accepted as lost, oldest finding first',
  action: 'backup.list',
  input: z.object({}),
  answer: z.object({
    files: z.array(damagedItem),
    /** Number of files that are not listed: the caller may not read them, or they come after the first 500. */
    others: z.int(),
  }),
  errors: ['notSignedIn', 'forbidden', 'unavailable'],
});

export const restoreStoredItem = defineCall({
  method: 'POST',
  path: '/stored/:id/restore',
  summary: 'Restores a damaged file from the backups. The list shows its progress',
  action: 'backup.create',
  input: z.object({ params: z.object({ id }) }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound', 'fileMissing', 'backupRunning', 'unavailable'],
});

/** Files that one order may restore; the list shows as many. */
const RESTORED_MAX = 500;

export const restoreStoredItems = defineCall({
  method: 'POST',
  path: '/stored/restore',
  summary: 'Restores several damaged files from the backups, one after the other. The list shows their progress',
  action: 'backup.create',
  input: z.object({ body: z.strictObject({ files: z.array(id).min(1).max(RESTORED_MAX) }) }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound', 'fileMissing', 'backupRunning', 'unavailable', 'invalid'],
});

export const acceptStoredLoss = defineCall({
  method: 'POST',
  path: '/stored/:id/accept',
  summary: 'Accepts that a damaged file is lost, with a reason for the audit',
  action: 'backup.create',
  input: z.object({
    params: z.object({ id }),
    body: z.strictObject({ reason: z.string().trim().min(LOSS_REASON_MIN).max(LOSS_REASON_MAX) }),
  }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound', 'invalid'],
});
