import { z } from 'zod';
import { clip } from './clip.ts';
import { defineCall, done, flag, id, idOrName, micros, moment } from './core/call.ts';
import type { ErrorCode } from './core/errors.ts';
import { CLIP_NOTE_MAX, CLIP_SENSORS_MAX, CLIP_TITLE_MAX, LIST_MAX, TAGS_MAX } from './core/limits.ts';
import { tag } from './missions.ts';

/** A moment of a mission as query parameter: seconds since its start, or ISO 8601 with a time zone. */
export const clipMark = z
  .string()
  .max(40)
  .transform((text, context) => {
    if (/^-?\d{1,10}(\.\d{1,9})?$/.test(text)) return { seconds: Number(text) };
    const time = text.includes('T') ? moment.safeParse(text) : null;
    if (time?.success) return { us: time.data };
    context.addIssue({
      code: 'custom',
      message: 'Not a time: use seconds from the mission start, or ISO 8601 with a zone',
    });
    return z.NEVER;
  });
export type ClipMark = z.output<typeof clipMark>;

/** `ts`: a transport stream with all of its original content; `mp4`: a file that opens by double click. */
export const clipContainers = ['ts', 'mp4'] as const;
export type ClipContainer = (typeof clipContainers)[number];
const container = z.enum(clipContainers).optional();

export const exportVideo = defineCall({
  method: 'GET',
  path: '/sensors/exportVideo/:mission/:sensor',
  summary:
    'Exports a clip of the original as transport stream, from the key frame at or before markIn to markOut ' +
    '(seconds from the mission start, or ISO 8601), with metadata and sound unchanged. With sidecar, a zip with ' +
    'clip.json and SHA256SUMS; also a zip if the span has several formats. With format=mp4, the same pictures and ' +
    'sound as MP4, shown from markIn on',
  action: 'clip.export',
  raw: 'media',
  input: z.object({
    params: z.object({ mission: idOrName, sensor: idOrName }),
    query: z.object({
      markIn: clipMark,
      /** If omitted, the end of the mission. */
      markOut: clipMark.optional(),
      format: container,
      sidecar: flag.optional(),
      /** Exports all sensors of the mission that recorded something in the span, as one zip. */
      allSensors: flag.optional(),
    }),
  }),
  answer: z.unknown(),
  errors: [
    'invalid',
    'notSignedIn',
    'guestDownload',
    'forbidden',
    'notFound',
    'fileMissing',
    'ruleRefused',
    'tooManyRequests',
    'indexDamaged',
    'diskFull',
  ],
});

const ordered = {
  action: 'clip.export',
  answer: z.object({ id }),
  errors: [
    ...['invalid', 'notSignedIn', 'guestDownload', 'forbidden', 'notFound', 'fileMissing', 'ruleRefused'],
    ...['tooManyRequests', 'indexDamaged', 'diskFull'],
  ] as ErrorCode[],
} as const;

export const orderVideo = defineCall({
  method: 'POST',
  path: '/sensors/exportVideo/:mission/:sensor',
  summary: 'Starts the export of exportVideo with sidecar in the background. GET exports/{id} returns the zip',
  ...ordered,
  input: z.object({
    params: z.object({ mission: idOrName, sensor: idOrName }),
    body: z.strictObject({
      markIn: clipMark,
      markOut: clipMark,
      format: container,
      allSensors: z.boolean().default(false),
    }),
  }),
});

const fields = {
  title: z
    .string()
    .trim()
    .min(1, 'Empty title')
    .max(CLIP_TITLE_MAX, `The title is longer than ${CLIP_TITLE_MAX} characters`)
    .regex(/^\P{Cc}*$/u, 'Control characters are not allowed'),
  note: z
    .string()
    .max(CLIP_NOTE_MAX, `The note is longer than ${CLIP_NOTE_MAX} characters`)
    .refine((text) => !text.includes('\0'), 'Control characters are not allowed'),
  tags: z
    .array(tag)
    .max(TAGS_MAX)
    .transform((tags) => [...new Set(tags)]),
};

/** Title, note and tags of a clip. */
export const clipFields = z.strictObject({
  title: fields.title,
  note: fields.note.default(''),
  tags: fields.tags.default([]),
});

export const listClips = defineCall({
  method: 'GET',
  path: '/clips',
  summary: 'Lists the clips of a mission in the order of their times',
  action: 'clip.read',
  input: z.object({ query: z.object({ missionIdOrName: idOrName }) }),
  answer: z.array(clip),
  errors: ['invalid', 'notSignedIn', 'notFound'],
});

export const createClip = defineCall({
  method: 'POST',
  path: '/clips',
  summary: 'Keeps a span of one or more sensors as a clip; markIn and markOut are those of exportVideo',
  action: 'clip.create',
  input: z.object({
    body: z.strictObject({
      missionIdOrName: idOrName,
      sensors: z.array(idOrName).min(1, 'No sensor is chosen').max(CLIP_SENSORS_MAX),
      markIn: clipMark,
      markOut: clipMark,
      ...clipFields.shape,
    }),
  }),
  answer: clip.extend({ message: z.string() }),
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'missionRenamed', 'ruleRefused', 'indexDamaged'],
});

export const updateClip = defineCall({
  method: 'PUT',
  path: '/clips/:id',
  summary: 'Changes title, note or tags of a clip. 409 if `revision` is not the newest',
  action: 'clip.update',
  input: z.object({
    params: z.object({ id }),
    body: z.strictObject({
      title: fields.title.optional(),
      note: fields.note.optional(),
      tags: fields.tags.optional(),
      revision: z.int(),
    }),
  }),
  answer: clip,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'revisionConflict'],
});

export const deleteClips = defineCall({
  method: 'DELETE',
  path: '/clips',
  summary: 'Deletes clips, all or none. The recordings stay',
  action: 'clip.delete',
  input: z.object({ body: z.strictObject({ clips: z.array(id).min(1, 'No clip is chosen').max(LIST_MAX) }) }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'caseHeld'],
});

export const exportClip = defineCall({
  method: 'GET',
  path: '/clips/:id/export',
  summary:
    'Exports the clip, cut again from the same frames: a transport stream or MP4, or a zip of several sensors or ' +
    'with sidecar',
  action: 'clip.export',
  raw: 'media',
  input: z.object({ params: z.object({ id }), query: z.object({ format: container, sidecar: flag.optional() }) }),
  answer: z.unknown(),
  errors: [
    ...['invalid', 'notSignedIn', 'guestDownload', 'forbidden', 'notFound', 'fileMissing', 'ruleRefused'],
    ...['tooManyRequests', 'indexDamaged', 'diskFull'],
  ] as ErrorCode[],
});

export const orderClip = defineCall({
  method: 'POST',
  path: '/clips/:id/export',
  summary: 'Starts the export of the clip as a zip with sidecar in the background. GET exports/{id} returns it',
  ...ordered,
  input: z.object({ params: z.object({ id }), body: z.strictObject({ format: container }) }),
});

/** Preview of an export of this span, for a dialog. */
export const planClip = defineCall({
  method: 'GET',
  path: '/sensors/clipPlan/:mission/:sensor',
  summary: 'Returns what exportVideo would return for this span: name, estimated size, and the moments of the cuts',
  action: 'clip.export',
  input: z.object({
    params: z.object({ mission: idOrName, sensor: idOrName }),
    query: z.object({ markIn: clipMark, markOut: clipMark, format: container }),
  }),
  answer: z.object({
    fileName: z.string(),
    /** Estimated size of the transport stream, since the exact size is known only after cutting. */
    sizeBytes: z.int(),
    /** Time of the first picture, which is a key frame, and of the first picture after the clip. */
    startTime: micros,
    endTime: micros,
    /** Number of files; more than one if formats differ within the span. */
    files: z.int(),
    /** Codecs of video and sound, which not all players support. */
    video: z.enum(['h264', 'h265', 'mpeg2', 'mpeg4']),
    sound: z.array(z.enum(['aac', 'mpegAudio', 'aacLatm', 'ac3', 'eac3', 'otherAudio'])),
    /** Whether the video was transcoded: it is then cut from a stream that the server made of the original. */
    converted: z.boolean(),
    /** Number of seconds in the span in which nothing was recorded. */
    gapSeconds: z.number(),
  }),
  errors: ['invalid', 'notSignedIn', 'guestDownload', 'forbidden', 'notFound', 'ruleRefused', 'indexDamaged'],
});

export type ClipPlan = z.output<typeof planClip.answer>;

/** `clip.json` of an exported clip: the requested span, and the span that was cut. Times are ISO 8601 in UTC. */
export const clipManifest = z.object({
  format: z.literal('osprey-clip'),
  version: z.literal(1),
  label: z.string(),
  /** Name and software version of the server. */
  server: z.string(),
  serverVersion: z.string(),
  created: z.string(),
  by: z.string(),
  mission: z.object({ id: z.string(), name: z.string() }),
  asked: z.object({ in: z.string(), out: z.string() }),
  clips: z.array(
    z.object({
      name: z.string(),
      sensor: z.object({ id: z.string(), name: z.string() }),
      sizeBytes: z.int(),
      sha256: z.string(),
      /** Whether a KLV stream with the label was added; MP4 states the label in its comment. */
      labelled: z.boolean(),
      /** Part that was cut from each original, in order. */
      parts: z.array(
        z.object({
          original: z.object({
            id: z.string(),
            name: z.string(),
            sha256: z.string().nullable(),
            /**
             * The pictures are not those of the original file, but were transcoded once for the transport stream made
             * from it.
             */
            converted: z.boolean(),
          }),
          /** Time of its first picture, which is a key frame, and of the first picture after the cut. */
          start: z.string(),
          end: z.string(),
          keyFrame: z.object({ pts: z.int(), offset: z.int() }),
          frames: z.int(),
          framesBeforeIn: z.int(),
          /** First and last byte of the original. */
          bytes: z.tuple([z.int(), z.int()]),
          /** Number of packetised elements of the same time that are outside of these bytes in the original. */
          elementsOutside: z.int(),
        }),
      ),
    }),
  ),
});
export type ClipManifest = z.output<typeof clipManifest>;
