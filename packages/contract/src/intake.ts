import { z } from 'zod';
import { classification, classificationWord } from './access/labels.ts';
import { defineCall, done, id, micros } from './core/call.ts';
import { audiences, platform } from './missions.ts';

/** Time for which a file's size and modification time must stay unchanged before it is imported, in milliseconds. */
export const WATCHED_QUIET_MS = 10_000;

const path = z
  .string()
  .trim()
  .min(1)
  .max(1024)
  .regex(/^[^\p{C}]*$/u, 'Control characters are not allowed');

export const newWatchFolder = z.strictObject({
  /** Path on the server, below one of the folders that the server's configuration allows. */
  path,
  /** Null: unmarked, so imported files get the highest label of the installation. */
  securityClassification: classification.nullable().default(null),
  audience: z.enum(audiences).default('groups'),
  usergroups: z.array(id).max(200).default([]),
  platform: platform.prefault({}),
  /**
   * True: imported files are moved to the subfolder `taken`, and refused ones to `refused`. False: files stay where
   * they are.
   */
  moveFiles: z.boolean().default(false),
  enabled: z.boolean().default(true),
});

export const watchFolder = z.object({
  _id: id,
  path: z.string(),
  securityClassification: classificationWord.nullable(),
  audience: z.enum(audiences),
  usergroups: z.array(id),
  platform,
  moveFiles: z.boolean(),
  enabled: z.boolean(),
  /** Whether the folder is set by OSPREY_WATCH, in which case it cannot be changed here. */
  fromConfiguration: z.boolean(),
  /** Reason why the folder cannot currently be read; null if it can. */
  problem: z.string().nullable(),
});
export type WatchFolder = z.output<typeof watchFolder>;

export const intakeFile = z.object({
  _id: id,
  folder: id,
  name: z.string(),
  sizeBytes: z.int(),
  outcome: z.enum(['taken', 'duplicate', 'refused']),
  reason: z.string().nullable(),
  /** The mission, or null if the caller may not read it. */
  mission: z.object({ _id: id, name: z.string() }).nullable(),
  /** Label of the mission, or of the folder if there is no mission. */
  securityClassification: classificationWord,
  /** False if the label was never chosen, so that it counts as the highest. */
  marked: z.boolean(),
  time: micros,
});
export type IntakeFile = z.output<typeof intakeFile>;

const params = z.object({ id });
const changeErrors = [
  'invalid',
  'notSignedIn',
  'forbidden',
  'ruleRefused',
  'labelAboveGroup',
  'unknownUsergroup',
  'hidesFromMaker',
] as const;

export const listWatchFolders = defineCall({
  method: 'GET',
  path: '/intake/folders',
  summary: 'Lists the watched folders of the server, and the folders below which more can be added',
  action: 'intake.manage',
  input: z.object({}),
  answer: z.object({ roots: z.array(z.string()), folders: z.array(watchFolder) }),
  errors: ['notSignedIn', 'forbidden'],
});

export const createWatchFolder = defineCall({
  method: 'POST',
  path: '/intake/folders',
  summary: 'Adds a watched folder',
  action: 'intake.manage',
  input: z.object({ body: newWatchFolder }),
  answer: watchFolder,
  errors: changeErrors,
});

export const updateWatchFolder = defineCall({
  method: 'PUT',
  path: '/intake/folders/:id',
  summary: 'Changes how a folder is watched. Missions that were created stay as they are',
  action: 'intake.manage',
  input: z.object({ params, body: newWatchFolder }),
  answer: watchFolder,
  errors: [...changeErrors, 'notFound'],
});

export const deleteWatchFolder = defineCall({
  method: 'DELETE',
  path: '/intake/folders/:id',
  summary: 'Stops watching a folder. Its files and missions stay',
  action: 'intake.manage',
  input: z.object({ params }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound', 'ruleRefused'],
});

export const intakeReport = defineCall({
  method: 'GET',
  path: '/intake/files',
  summary: 'Lists the last 500 files of watched folders and lists, with outcome and reason',
  action: 'intake.manage',
  input: z.object({}),
  answer: z.array(intakeFile),
  errors: ['notSignedIn', 'forbidden'],
});

/**
 * List of missions to import: a JSON array of objects, or a CSV file with the columns name, files, description,
 * securityClassification, usergroups, audience, platform, platformType, tags and country. In a CSV cell, several values
 * are separated by `;`. Omitted values are taken from the folder.
 */
export const importList = defineCall({
  method: 'POST',
  path: '/intake/folders/:id/list',
  summary: 'Creates missions from a CSV or JSON list of files in this folder. The report states the outcome of each',
  action: 'intake.manage',
  input: z.object({
    params,
    body: z.strictObject({ format: z.enum(['csv', 'json']), text: z.string().min(1).max(900_000) }),
  }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'ruleRefused'],
});
