import { z } from 'zod';
import { classification } from './access/labels.ts';
import { frameAnchor } from './core/anchor.ts';
import { defineCall, id, micros, moment } from './core/call.ts';
import { NAME_MAX } from './core/limits.ts';
import { documentRow, newDocument, pictureSources } from './documents.ts';

/** Characters of a data URL: 8 MiB of picture in base64 (RFC 4648, 4), and its prefix. */
const DATA_URL_MAX = Math.ceil((8 * 1024 * 1024) / 3) * 4 + 32;
/** A JSON body with two pictures at most. */
export const SNAPSHOT_BODY_BYTES = 12 * 1024 * 1024;

const dataUrl = z
  .string()
  .max(DATA_URL_MAX, 'The picture is larger than 8 MiB')
  .regex(/^data:image\/(?:jpeg|png);base64,[A-Za-z0-9+/]+={0,2}$/, 'Not a data URL of a JPEG or PNG picture');

/** Fields of a new snapshot. Title, description and rights follow the rules of a document. */
export const snapshotFields = z.strictObject({
  title: newDocument.shape.title,
  description: newDocument.shape.description,
  tags: newDocument.shape.tags,
  usergroups: newDocument.shape.usergroups,
  restricted: newDocument.shape.restricted,
  audience: newDocument.shape.audience,
  /** Left out: the label of the mission, or of the platform. */
  securityClassification: classification.optional(),
});

export const newSnapshot = z.strictObject({
  ...snapshotFields.shape,
  /** Name or id; empty for a live stream that is not recorded. */
  missionName: z.string().trim().max(NAME_MAX).default(''),
  /** Name or id. */
  sensorName: z.string().trim().min(1, 'Sensor is required').max(NAME_MAX),
  /** Live streams that are not recorded; else only shown with the document. */
  platformName: z.string().trim().max(NAME_MAX).default(''),
  /** The picture shown in the browser. It is kept only if the server cannot decode the frame itself. */
  snapshotDataUrl: dataUrl.optional(),
  /** The same picture with what the page draws over it: kept as a second one, next to the picture itself. */
  overlaysDataUrl: dataUrl.optional(),
  /** UTC of the frame on screen. */
  timestamp: z.union([micros, moment]),
  /** The very frame, where the page knows it; else the one on screen at `timestamp`. */
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

/** The moment that a snapshot shows. */
export const snapshotMoment = z.object({
  /** Null where it has none, where it is gone, and where the caller may not read it. */
  mission: z.object({ _id: id, name: z.string() }).nullable(),
  sensor: z.object({ _id: id.nullable(), name: z.string() }),
  /** UTC of the frame, by the clock of its sensor as it is now; the last known one where the file is gone. */
  time: micros,
  /** The frame is still part of the recording, so that the moment can be opened. */
  shown: z.boolean(),
  picture: z.enum(pictureSources),
  /** SHA-256 of the second picture, with overlays that the browser drew; null where there is none. */
  overlaysSha256: z.string().nullable(),
  /** The last set at or before the frame, at most 5 s old; null where there was none. */
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
      /** UTC of its frame; null where the frame is no longer part of the recording. */
      time: micros.nullable(),
      thumbnail: z.string().nullable(),
    }),
  ),
  errors: ['notSignedIn', 'notFound'],
});
export type SnapshotMark = z.output<typeof listSnapshots.answer>[number];
