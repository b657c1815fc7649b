import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, id, micros } from './core/call.ts';

/**
 * Faults of a stored file: the file is missing, its size has changed, its content has changed, or the disk cannot read
 * it.
 */
export const storedFaults = ['missing', 'size', 'content', 'unreadable'] as const;

/** Minimum and maximum number of characters in the reason for accepting a loss. */
export const LOSS_REASON_MIN = 10;
const LOSS_REASON_MAX = 500;

export const storedCheck = z.object({
  /** The share of stored bytes that is being re-read, or was re-read last; null before the first check. */
  last: z
    .object({
      started: micros,
      /** Null while the check is running or waiting for recordings to end. */
      ended: micros.nullable(),
      files: z.int(),
      bytes: z.int(),
      /** Number of bytes in the share. More may be read, since the last file is read to its end. */
      wantedBytes: z.int(),
      /** Number of files in this share whose content differs from what was stored. */
      damaged: z.int(),
    })
    .nullable(),
  /** Total size of the files of all recordings and of all documents, in bytes. */
  totalBytes: z.int(),
  /** Number of recording files that have no SHA-256 yet. */
  notHashed: z.int(),
  /** Number of damaged files that are neither restored nor given up. */
  damaged: z.int(),
  /** Time at which the least recently read bytes were last read, or written if never read; null if there are none. */
  oldestRead: micros.nullable(),
  /** Rate at which the last share was read, in bytes per second including pauses; null before the first check. */
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
  /** File name on the user's machine. */
  name: z.string(),
  /** Mission of the recording; null for a document. */
  mission: z.object({ _id: id, name: z.string(), sensor: z.string() }).nullable(),
  securityClassification: classificationWord,
  fault: z.enum(storedFaults),
  /** Description of the fault, without a full stop. */
  text: z.string(),
  sizeBytes: z.int(),
  found: micros,
  /** True if a backup holds the content as originally stored. */
  restorable: z.boolean(),
  /** Progress in percent (0 to 100) while the item is being restored or is waiting for it; otherwise null. */
  progress: z.number().nullable(),
  /** Reason why the last attempt to restore it failed, as a sentence. */
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
    /**
     * Number of files that are not listed, either because the caller may not read them or because they come after the
     * first 500.
     */
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

/** Maximum number of files in one restore request, and in the list. */
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
