import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, done, id, idOrName, micros } from './core/call.ts';
import { jobStates } from './jobs.ts';

/** Maximum number of exports that one user may have at the same time. */
export const EXPORTS_MAX = 2;
/** Time for which a finished export is kept for download, in milliseconds. */
export const EXPORT_RETENTION_MS = 24 * 3_600_000;
/** Validity of a ticket for one download, in milliseconds. */
export const EXPORT_TICKET_MS = 60_000;

const refs = z.array(idOrName).min(1);

/** An archive that is being created, or is ready for download. */
export const exportTask = z.object({
  _id: id,
  /** An archive of missions, or clips of one mission. */
  kind: z.enum(['archive', 'clips']),
  state: z.enum(jobStates),
  /** Names of the exported missions. */
  title: z.string(),
  /** Highest label of the exported missions. */
  securityClassification: classificationWord,
  progress: z.number(),
  /** Size of the finished archive, in bytes. */
  sizeBytes: z.int().nullable(),
  fileName: z.string().nullable(),
  error: z.string().nullable(),
  created: micros,
});
export type ExportTask = z.output<typeof exportTask>;

export const exportMissions = defineCall({
  method: 'POST',
  path: '/missions/export',
  summary:
    'Exports missions as one zip with originals, indexes, pictures and a manifest. The answer is the zip, or with ' +
    '`async` the id of an export, which GET exports/{id} returns',
  action: 'mission.export',
  input: z.object({
    body: z.strictObject({
      missions: refs.max(500),
      archiveFormat: z.string().max(32).default('zip'),
      content: z.string().max(32).default('processed'),
      async: z.boolean().default(false),
    }),
  }),
  answer: z.object({ id }),
  errors: [
    'invalid',
    'notSignedIn',
    'forbidden',
    'notFound',
    'missionNameAmbiguous',
    'missionRenamed',
    'ruleRefused',
    'tooManyRequests',
    'diskFull',
  ],
});

export const exportMissionList = defineCall({
  method: 'POST',
  path: '/missions/exportList',
  summary: 'Exports the fields of missions as a JSON or CSV file',
  action: 'mission.export',
  input: z.object({
    body: z.strictObject({
      format: z.enum(['json', 'csv']).default('json'),
      missions: refs.max(10_000),
      includeBookmarks: z.boolean().default(false),
    }),
  }),
  answer: z.unknown(),
  errors: [
    'invalid',
    'notSignedIn',
    'forbidden',
    'notFound',
    'missionNameAmbiguous',
    'missionRenamed',
    'ruleRefused',
    'diskFull',
  ],
});

const params = z.object({ id });

export const listExports = defineCall({
  method: 'GET',
  path: '/exports',
  summary: "Lists the caller's exports, newest first",
  action: 'account.own',
  input: z.object({}),
  answer: z.array(exportTask),
  errors: ['notSignedIn', 'forbidden'],
});

export const createExportTicket = defineCall({
  method: 'POST',
  path: '/exports/:id/ticket',
  summary:
    'Creates a ticket for one download of a finished export, valid for 60 s. Resuming that download needs no other',
  action: 'account.own',
  input: z.object({ params }),
  answer: z.object({ ticket: z.string() }),
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});

export const getExport = defineCall({
  method: 'GET',
  path: '/exports/:id',
  summary: 'Returns the archive, whole or a byte range. A browser that sends only its cookie needs a ticket',
  action: 'account.own',
  raw: 'media',
  input: z.object({ params, query: z.object({ ticket: z.string().max(256).optional() }) }),
  answer: z.unknown(),
  errors: ['notSignedIn', 'forbidden', 'notFound', 'rangeNotSatisfiable', 'ruleRefused', 'diskFull'],
});

export const removeExport = defineCall({
  method: 'DELETE',
  path: '/exports/:id',
  summary:
    'Cancels an export, or deletes one that has ended. The finished part of cancelled clips is kept for ' +
    'exports/{id}/resume until they are deleted',
  action: 'account.own',
  input: z.object({ params }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});

export const resumeExport = defineCall({
  method: 'POST',
  path: '/exports/:id/resume',
  summary: 'Resumes clips that were cancelled or failed, after the last complete one',
  action: 'account.own',
  input: z.object({ params }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound', 'ruleRefused', 'tooManyRequests', 'diskFull'],
});

/** Result for one mission of an archive. */
export const importedMission = z.object({
  /** Id of the mission; null if it was not created. */
  _id: id.nullable(),
  name: z.string(),
  securityClassification: classificationWord,
  marked: z.boolean(),
  /** Names of user groups with which the imported mission is shared. */
  usergroups: z.array(z.string()),
  /** Names of user groups in the archive that do not exist here, or may not see this label. */
  usergroupsLeftOut: z.array(z.string()),
  files: z.int(),
  /** Notes as complete sentences. */
  notes: z.array(z.string()),
});
export type ImportedMission = z.output<typeof importedMission>;

export const importTask = z.object({
  _id: id,
  state: z.enum(['uploading', ...jobStates]),
  /** Name of the archive. */
  title: z.string(),
  /** Progress of the upload, then of the import. */
  progress: z.number(),
  sizeBytes: z.int(),
  error: z.string().nullable(),
  missions: z.array(importedMission),
  created: micros,
});
export type ImportTask = z.output<typeof importTask>;

/** Archives are uploaded by tus to /api/imports, metadata: filename. */
export const listImports = defineCall({
  method: 'GET',
  path: '/imports',
  summary: "Lists the caller's imports with their reports, newest first",
  action: 'mission.createAny',
  input: z.object({}),
  answer: z.array(importTask),
  errors: ['notSignedIn', 'forbidden'],
});

export const removeImport = defineCall({
  method: 'DELETE',
  path: '/imports/:id',
  summary: 'Cancels an import, or removes its report from the list. Missions that were created stay',
  action: 'mission.createAny',
  input: z.object({ params }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});
