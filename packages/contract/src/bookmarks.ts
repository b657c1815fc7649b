import { z } from 'zod';
import { frameAnchor } from './core/anchor.ts';
import { defineCall, done, id, idOrName, micros } from './core/call.ts';
import { BOOKMARK_TEXT_MAX, BOOKMARK_TITLE_MAX, LIST_MAX, TAGS_MAX } from './core/limits.ts';
import { tag } from './missions.ts';

/** Amber: default colour of the pins of bookmarks. */
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

/** Checked by the dialog and by the server. */
export const bookmarkFields = z.strictObject({
  title: fields.title,
  text: fields.text.default(''),
  color: fields.color.default(BOOKMARK_COLOR),
  tags: fields.tags.default([]),
});

/**
 * A titled moment of a mission, tied to a frame of one of its sensors. Times are derived from the frame at each
 * reading; if the frame is not shown any more, they are its last known times.
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
  /** UTC microseconds of its frame. */
  time: micros,
  /** Seconds from `startTime`, which is the start of the mission; of a mission without times both are 0. */
  position: z.number(),
  startTime: micros,
  /** Null until the recording that it was made in has been read. */
  anchor: frameAnchor.nullable(),
  /**
   * `gone`: its file was removed, or shows something else by now; `waiting`: it was made in a recording that has not been
   * read yet.
   */
  state: z.enum(['shown', 'waiting', 'gone']),
  created: micros,
  /** User name of the author; `imported` if an archive named an account that is not known here. */
  author: z.string(),
  /** Account of the last change; the author at first. */
  editor: z.string(),
  color: z.string(),
  /**
   * Path below the server's own address: the picture that the maker chose, else the last along the sensor before it.
   */
  thumbnailUrl: z.string().nullable(),
  tags: z.array(z.string()),
  /** Sent back with PUT: 409 when the row was changed in the meantime. */
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
        /** A thumbnail of this mission, as `thumbnail`, pictures and bookmarks name them. */
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
