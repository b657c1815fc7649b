import { z } from 'zod';
import { classification } from './access/labels.ts';
import { frameAnchor } from './core/anchor.ts';
import { defineCall, id, micros, moment } from './core/call.ts';
import { NAME_MAX } from './core/limits.ts';
import { documentRow, newDocument, pictureSources } from './documents.ts';

/** Maximum length of a data URL, in characters: 8 MiB of picture in base64 (RFC 4648, 4), plus its prefix. */
const DATA_URL_MAX = Math.ceil((8 * 1024 * 1024) / 3) * 4 + 32;
/** Maximum size of a JSON body with up to two pictures. */
export const SNAPSHOT_BODY_BYTES = 12 * 1024 * 1024;

const dataUrl = z
  .string()
  .max(DATA_URL_MAX, 'The picture is larger than 8 MiB')
  .regex(/^data:image\/(?:jpeg|png);base64,[A-Za-z0-9+/]+={0,2}$/, 'Not a data URL of a JPEG or PNG picture');

/** Fields of a new snapshot. Title, description and rights follow the same rules as for a document. */
export const snapshotFields = z.strictObject({
  title: newDocument.shape.title,
  description: newDocument.shape.description,
  tags: newDocument.shape.tags,
  usergroups: newDocument.shape.usergroups,
  restricted: newDocument.shape.restricted,
  audience: newDocument.shape.audience,
  /** Defaults to the label of the mission or of the platform. */
  securityClassification: classification.optional(),
});

export const newSnapshot = z.strictObject({
  ...snapshotFields.shape,
  /** Name or id of the mission; empty for a live stream that is not being recorded. */
  missionName: z.string().trim().max(NAME_MAX).default(''),
  /** Name or id of the sensor. */
  sensorName: z.string().trim().min(1, 'Sensor is required').max(NAME_MAX),
  /**
   * Identifies the platform of a live stream that is not being recorded; in all other cases it is only displayed with
   * the document.
   */
  platformName: z.string().trim().max(NAME_MAX).default(''),
  /** The picture as shown in the browser. It is stored only if the server cannot decode the frame itself. */
  snapshotDataUrl: dataUrl.optional(),
  /** The same picture including the overlays drawn by the page. It is stored in addition to the picture itself. */
  overlaysDataUrl: dataUrl.optional(),
  /** Time of the frame on screen (UTC). */
  timestamp: z.union([micros, moment]),
  /** The exact frame, if the page knows it; otherwise the frame shown at `timestamp` is used. */
  frame: frameAnchor.optional(),
});
export type NewSnapshot = z.input<typeof newSnapshot>;

export const createSnapshot = defineCall({
  method: 'POST',
  path: '/snapshots',
  summary:
    'Keeps one frame of a sensor as a document of type Image. The server decodes the frame from the original; the ' +
    'picture of the browser is kept, and marked, only if the server has no frame. A picture with overlays is kept ' +
    'as a second one, which documents/{id}/pages/2 and documents/{id}/content?overlays=true return',
  action: 'document.createAny',
  input: z.object({ body: newSnapshot }),
  answer: documentRow,
  bodyBytes: SNAPSHOT_BODY_BYTES,
  errors: [
    'invalid',
    'notSignedIn',
    'forbidden',
    'notFound',
    'labelBelowMission',
    'widerThanMission',
    'labelAboveGroup',
    'hidesFromMaker',
    'unknownUsergroup',
    'badFile',
    'diskFull',
    'quotaReached',
    'unavailable',
  ],
});

/** Values of one ST 0601 set by tag number, in the standard's units. */
const telemetryValues = z.record(z.string(), z.union([z.number(), z.string()]));

/** The moment shown in a snapshot. */
export const snapshotMoment = z.object({
  /** Null if the snapshot has no mission, if the mission no longer exists, or if the caller may not read it. */
  mission: z.object({ _id: id, name: z.string() }).nullable(),
  sensor: z.object({ _id: id.nullable(), name: z.string() }),
  /** UTC time of the frame by the current clock of its sensor; if the file no longer exists, the last known time. */
  time: micros,
  /** True if the frame is still part of the recording, so that the moment can be opened. */
  shown: z.boolean(),
  picture: z.enum(pictureSources),
  /** SHA-256 of the second picture, which includes the overlays drawn by the browser; null if there is none. */
  overlaysSha256: z.string().nullable(),
  /** The last telemetry set at or before the frame, at most 5 s old; null if there is none. */
  telemetry: z.object({ time: micros, values: telemetryValues, hex: z.string().nullable() }).nullable(),
  sha256: z.string(),
});
export type SnapshotMoment = z.output<typeof snapshotMoment>;

export const getSnapshotMoment = defineCall({
  method: 'GET',
  path: '/snapshots/:id/moment',
  summary:
    'Returns mission, sensor, time and telemetry of the frame that a snapshot shows. The id is that of its document',
  action: 'document.read',
  input: z.object({ params: z.object({ id }) }),
  answer: snapshotMoment,
  errors: ['notSignedIn', 'notFound'],
});

export const listSnapshots = defineCall({
  method: 'GET',
  path: '/snapshots',
  summary: 'Lists snapshots of a mission that the caller may read, in the order of their times',
  action: 'mission.read',
  input: z.object({ query: z.object({ missionIdOrName: z.string().trim().min(1).max(NAME_MAX) }) }),
  answer: z.array(
    z.object({
      _id: id,
      title: z.string(),
      sensor: z.string(),
      /** UTC time of the snapshot's frame; null if the frame is no longer part of the recording. */
      time: micros.nullable(),
      thumbnail: z.string().nullable(),
    }),
  ),
  errors: ['notSignedIn', 'notFound'],
});
export type SnapshotMark = z.output<typeof listSnapshots.answer>[number];
