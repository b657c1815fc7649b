import { z } from 'zod';
import { frameAnchor } from './core/anchor.ts';
import { defineCall, done, id, idOrName, micros } from './core/call.ts';
import { BOOKMARK_TEXT_MAX, BOOKMARK_TITLE_MAX, LIST_MAX, TAGS_MAX } from './core/limits.ts';
import { tag } from './missions.ts';

/** Amber, the default colour of bookmark pins. */
export const BOOKMARK_COLOR = '#e8b54a';

const fields = {
  title: z
    .string()
    .trim()
    .min(1, 'Empty title')
    .max(BOOKMARK_TITLE_MAX, `The title is longer than ${BOOKMARK_TITLE_MAX} characters`)
    .regex(/^\P{Cc}*$/u, 'Control characters are not allowed'),
  text: z
    .string()
    .max(BOOKMARK_TEXT_MAX, `The text is longer than ${BOOKMARK_TEXT_MAX} characters`)
    .refine((text) => !text.includes('\0'), 'Control characters are not allowed'),
  color: z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Not a colour: use #rrggbb'),
  tags: z
    .array(tag)
    .max(TAGS_MAX)
    .transform((tags) => [...new Set(tags)]),
};

/** Fields of a bookmark, validated by the dialog and by the server. */
export const bookmarkFields = z.strictObject({
  title: fields.title,
  text: fields.text.default(''),
  color: fields.color.default(BOOKMARK_COLOR),
  tags: fields.tags.default([]),
});

/**
 * A titled moment of a mission, tied to a frame of one of its sensors. Times are derived from the frame whenever it is
 * read; if the frame is no longer shown, they are the last known ones.
 */
export const bookmark = z.object({
  _id: id,
  missionId: id,
  missionName: z.string(),
  /** Null: the sensor was removed. */
  sensorId: id.nullable(),
  sensorName: z.string().nullable(),
  title: z.string(),
  text: z.string(),
  /** Time of the frame, in UTC microseconds. */
  time: micros,
  /** Seconds since `startTime`, which is the start of the mission. Both are 0 if the mission has no times. */
  position: z.number(),
  startTime: micros,
  /** Null until the recording in which it was made has been processed. */
  anchor: frameAnchor.nullable(),
  /**
   * `gone`: its file was removed, or now shows something else; `waiting`: it was made in a recording that has not been
   * processed yet.
   */
  state: z.enum(['shown', 'waiting', 'gone']),
  created: micros,
  /** Username of the author; `imported` if an archive named an account that is not known here. */
  author: z.string(),
  /** Account that made the last change; initially the author. */
  editor: z.string(),
  color: z.string(),
  /**
   * Path relative to the server's address, of the picture that the author chose, else of the last picture of the sensor
   * before it.
   */
  thumbnailUrl: z.string().nullable(),
  tags: z.array(z.string()),
  /** Must be sent back with PUT, which answers 409 if the row was changed in the meantime. */
  revision: z.int(),
  /** Whether the caller may change and delete it. */
  editable: z.boolean(),
});
export type Bookmark = z.output<typeof bookmark>;

export const listBookmarks = defineCall({
  method: 'GET',
  path: '/bookmarks',
  summary: 'Lists the bookmarks of a mission in the order of their times',
  action: 'bookmark.read',
  input: z.object({ query: z.object({ missionIdOrName: idOrName }) }),
  answer: z.array(bookmark),
  errors: ['invalid', 'notSignedIn', 'notFound'],
});

export const createBookmark = defineCall({
  method: 'POST',
  path: '/bookmarks',
  summary:
    'Bookmarks a frame of a sensor: the one on screen `position` seconds after `startTime` (UTC microseconds; ' +
    'default: the start of the mission), or the one that `anchor` names',
  action: 'bookmark.create',
  input: z.object({
    body: bookmarkFields
      .extend({
        missionIdOrName: idOrName,
        sensorIdOrName: idOrName,
        /** Colour; null and an empty text are the default. */
        color: z
          .union([fields.color, z.literal(''), z.null()])
          .optional()
          .transform((color) => color || BOOKMARK_COLOR),
        position: z.number().min(-4e9).max(4e9).optional(),
        startTime: micros.min(-4e15).max(4e15).nullable().optional(),
        anchor: frameAnchor.optional(),
        /** Thumbnail of this mission, in the form used by `thumbnail`, pictures and bookmarks. */
        thumbnailUrl: z.string().max(512).nullable().optional(),
      })
      .refine(({ position, anchor }) => position !== undefined || anchor !== undefined, {
        path: ['position'],
        message: 'Either a position or an anchor is needed',
      }),
  }),
  answer: bookmark.extend({ message: z.string() }),
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'missionRenamed', 'ruleRefused'],
});

export const updateBookmark = defineCall({
  method: 'PUT',
  path: '/bookmarks/:id',
  summary: 'Changes title, text, colour or tags of a bookmark. 409 if `revision` is not the newest',
  action: 'bookmark.update',
  input: z.object({
    params: z.object({ id }),
    body: z.strictObject({
      title: fields.title.optional(),
      text: fields.text.optional(),
      color: fields.color.optional(),
      tags: fields.tags.optional(),
      revision: z.int(),
    }),
  }),
  answer: bookmark,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'revisionConflict'],
});

const ids = z.strictObject({ bookmarks: z.array(id).min(1, 'No bookmark is chosen').max(LIST_MAX) });

export const deleteBookmarks = defineCall({
  method: 'DELETE',
  path: '/bookmarks',
  summary: 'Deletes bookmarks, all or none. They can be restored for a day',
  action: 'bookmark.delete',
  input: z.object({ body: ids }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'caseHeld'],
});

export const restoreBookmarks = defineCall({
  method: 'POST',
  path: '/bookmarks/restore',
  summary: 'Restores bookmarks that were deleted within the last day, all or none',
  action: 'bookmark.delete',
  input: z.object({ body: ids }),
  answer: done,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound'],
});
