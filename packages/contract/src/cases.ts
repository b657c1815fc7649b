import { z } from 'zod';
import { classification, classificationWord } from './access/labels.ts';
import { deleteCallOf, listBinOf, restoreCallOf } from './core/bin-calls.ts';
import { defineCall, done, id, micros, reasonText } from './core/call.ts';
import {
  CASE_COMMENT_MAX,
  CASE_EDITORS_MAX,
  CASE_NAME_MAX,
  CASE_NOTE_MAX,
  CASE_PART_TITLE_MAX,
  CASE_PARTS_MAX,
  CASE_TEXT_MAX,
  LIST_MAX,
  SEARCH_MAX,
} from './core/limits.ts';
import { optionalPage } from './core/page.ts';
import { pictureSources } from './documents.ts';
import { audiences } from './missions.ts';

export const casePartKinds = ['clip', 'snapshot', 'bookmark', 'annotation', 'document', 'track', 'note'] as const;
export type CasePartKind = (typeof casePartKinds)[number];

const line = (what: string, max: number) =>
  z
    .string()
    .trim()
    .min(1, `${what} is required`)
    .max(max, `${what} must be ${max} characters or less`)
    .regex(/^\P{Cc}*$/u, 'Control characters are not allowed');

const text = (max: number) =>
  z
    .string()
    .max(max, `More than ${max} characters`)
    .refine((value) => !value.includes('\0'), 'Control characters are not allowed');

export const caseName = line('Name', CASE_NAME_MAX);
export const caseDescription = text(CASE_TEXT_MAX);
export const casePartTitle = line('Title', CASE_PART_TITLE_MAX);
/** Plain text that editors of the case write about a part. */
export const casePartRemark = text(CASE_TEXT_MAX);
/** Markdown without HTML. Pictures must have the form `part:<id of a snapshot or document of this case>`. */
export const caseNoteText = text(CASE_NOTE_MAX);
export const caseCommentText = text(CASE_COMMENT_MAX).refine((value) => value.trim() !== '', 'Empty comment');

const remark = casePartRemark.default('');
/** Maximum distance of a time from 1970 in microseconds, so that sums remain exact. */
const time = micros.min(-4e15).max(4e15);

/** Source of a new part, depending on its kind. */
export const newCasePart = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('note'), title: casePartTitle, text: caseNoteText }),
  z.strictObject({ kind: z.literal('clip'), clipId: id, remark }),
  z.strictObject({ kind: z.literal('bookmark'), bookmarkId: id, remark }),
  /** A snapshot is a document; the server decides which of the two kinds it is. */
  z.strictObject({ kind: z.literal('snapshot'), documentId: id, remark }),
  z.strictObject({ kind: z.literal('document'), documentId: id, remark }),
  z.strictObject({ kind: z.literal('annotation'), annotationId: id, remark }),
  /** Position of a sensor and the ground that it saw, in a span of the mission clock. */
  z.strictObject({
    kind: z.literal('track'),
    sensorId: id,
    startTime: time,
    endTime: time,
    title: casePartTitle,
    remark,
  }),
]);
export type NewCasePart = z.output<typeof newCasePart>;

/** Returns the id of the item that a new part shows; null for notes. */
export function subjectOfPart(part: NewCasePart): string | null {
  switch (part.kind) {
    case 'note':
      return null;
    case 'clip':
      return part.clipId;
    case 'bookmark':
      return part.bookmarkId;
    case 'annotation':
      return part.annotationId;
    case 'track':
      return part.sensorId;
    default:
      return part.documentId;
  }
}

/** West, south, east, north in degrees on WGS 84; west > east means across the antimeridian. */
const extent = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** A part, as returned to a reader. Parts that the caller may not read are neither returned nor counted. */
export const casePart = z.object({
  _id: id,
  kind: z.enum(casePartKinds),
  /**
   * Id of the clip, bookmark, document or annotation, or the sensor of a track; null for notes and for deleted
   * subjects.
   */
  subjectId: id.nullable(),
  title: z.string(),
  remark: z.string(),
  /** Markdown text, only of notes. */
  text: z.string().nullable(),
  missionId: id.nullable(),
  missionName: z.string().nullable(),
  sensorId: id.nullable(),
  sensorName: z.string().nullable(),
  /** UTC microseconds. A span has both, a moment only `startTime`; null for parts without a time. */
  startTime: micros.nullable(),
  endTime: micros.nullable(),
  securityClassification: classificationWord,
  extent: extent.nullable(),
  /** Path relative to the server's address. */
  thumbnailUrl: z.string().nullable(),
  /** Origin of a snapshot's picture; null for other parts, and if the picture is not shown. */
  picture: z.enum(pictureSources).nullable(),
  /** Whether a snapshot has a second picture with overlays, rendered by a browser. */
  overlays: z.boolean(),
  /** `gone`: permanently removed, although the row remains so that the case can state it; `inBin`: can be restored. */
  state: z.enum(['shown', 'inBin', 'gone']),
  /** Account that added the part, and the time. */
  author: z.string(),
  added: micros,
  /** Must be sent back with PUT, which answers 409 if the row was changed in the meantime. */
  revision: z.int(),
});
export type CasePart = z.output<typeof casePart>;

export const caseRow = z.object({
  _id: id,
  /** Number of the case, from 1, as in "Case 7". */
  number: z.int(),
  name: z.string(),
  description: z.string(),
  /** Highest label of the case itself and of all its parts, including hidden ones; updated when parts change. */
  securityClassification: classificationWord,
  /**
   * Label chosen for the case itself. Each text written into the case raises it to the label that the case has then.
   */
  ownClassification: classificationWord,
  /** False: the label was never chosen; shown as UNMARKED. */
  marked: z.boolean(),
  audience: z.enum(audiences),
  /** Ids of user groups, only those that the caller may know of. */
  usergroups: z.array(id),
  owner: z.string(),
  /** Null if the account was deleted. */
  ownerId: id.nullable(),
  /** Accounts that may edit the case in addition to the owner and admins; only present for callers who may edit. */
  editors: z.array(z.object({ _id: id, username: z.string() })),
  /** Number of parts that the caller may read. */
  parts: z.int(),
  comments: z.int(),
  /** True if missions, documents, annotations, bookmarks and clips of the case are protected against deletion. */
  held: z.boolean(),
  created: micros,
  changed: micros,
  revision: z.int(),
  /** Time of its deletion to the bin; null if it is not in the bin. */
  deletedTime: micros.nullable(),
  /**
   * Rights of the caller, in this order: to edit; to own (set label, audience, editors) and delete; to hold; to export.
   */
  editable: z.boolean(),
  deletable: z.boolean(),
  holdable: z.boolean(),
  exportable: z.boolean(),
});
export type CaseRow = z.output<typeof caseRow>;

export const caseSorts = ['name', 'number', 'created', 'changed', 'securityClassification'] as const;
const sortKeys = caseSorts.flatMap((key) => [key, `-${key}`] as const);

export const caseFilter = z.object({
  /** Words in name, description or owner, or the number; matched literally. */
  search: z.string().max(SEARCH_MAX).optional(),
  sort: z.enum(sortKeys).optional(),
  ...optionalPage,
});
export type CaseFilter = z.output<typeof caseFilter>;

const usergroups = z
  .array(id)
  .max(200)
  .transform((ids) => [...new Set(ids)]);

/** Fields of a new case. */
export const newCase = z.strictObject({
  name: caseName,
  description: caseDescription.default(''),
  /** Left out: the highest of its parts; without parts the highest label of the installation, unmarked. */
  securityClassification: classification.optional(),
  audience: z.enum(audiences).default('groups'),
  usergroups: usergroups.default([]),
  parts: z.array(newCasePart).max(LIST_MAX).default([]),
});
export type NewCase = z.output<typeof newCase>;

/** Body of PUT cases/{id}; omitted fields are not changed. */
export const changedCase = z.strictObject({
  name: caseName.optional(),
  description: caseDescription.optional(),
  /** Label of the case itself, independent of its parts. */
  securityClassification: classification.optional(),
  audience: z.enum(audiences).optional(),
  usergroups: usergroups.optional(),
  editors: z
    .array(id)
    .max(CASE_EDITORS_MAX)
    .transform((ids) => [...new Set(ids)])
    .optional(),
  revision: z.int(),
  /** Required to lower the label or to extend the audience. */
  reason: reasonText.optional(),
});
export type ChangedCase = z.output<typeof changedCase>;

const params = z.object({ id });
const read = ['notSignedIn', 'notFound'] as const;
const write = ['invalid', ...read, 'forbidden'] as const;
const sharing = ['labelAboveGroup', 'hidesFromMaker', 'unknownUsergroup'] as const;
const caseIds = z.array(id).min(1, 'No case is chosen').max(LIST_MAX);
const parts = z.strictObject({ parts: z.array(id).min(1, 'No part is chosen').max(LIST_MAX) });

export const listCases = defineCall({
  method: 'GET',
  path: '/cases',
  summary:
    'Lists cases that the caller may read, last changed first. Without `limit` at most 500; the next cursor is in ' +
    'X-Next-After and, with count=1, the number of all in X-Total-Count',
  action: 'case.list',
  input: z.object({ query: caseFilter }),
  answer: z.array(caseRow),
  errors: ['invalid', 'notSignedIn'],
});

export const listCaseBin = listBinOf({ plural: 'cases', item: 'case' }, caseRow);

export const createCase = defineCall({
  method: 'POST',
  path: '/cases',
  summary: 'Creates a case with its first parts. The caller owns it',
  action: 'case.create',
  input: z.object({ body: newCase }),
  answer: caseRow.extend({ message: z.string() }),
  errors: [...write, ...sharing, 'partThere', 'ruleRefused'],
});

export const getCase = defineCall({
  method: 'GET',
  path: '/cases/:id',
  summary: 'Returns one case',
  action: 'case.read',
  input: z.object({ params }),
  answer: caseRow,
  errors: read,
});

export const updateCase = defineCall({
  method: 'PUT',
  path: '/cases/:id',
  summary:
    'Changes a case. Only its owner or an admin changes label, audience and editors; 409 if `revision` is not the ' +
    'newest',
  action: 'case.update',
  input: z.object({ params, body: changedCase }),
  answer: caseRow,
  errors: [...write, ...sharing, 'revisionConflict', 'reasonNeeded', 'ruleRefused'],
});

export const deleteCases = deleteCallOf({ plural: 'cases', item: 'case', ids: caseIds }, ['ruleRefused']);

export const restoreCases = restoreCallOf({ plural: 'cases', item: 'case', ids: caseIds });

export const listCaseParts = defineCall({
  method: 'GET',
  path: '/cases/:id/parts',
  summary: 'Lists the parts of a case that the caller may read, in the order of the case',
  action: 'case.read',
  input: z.object({ params }),
  answer: z.array(casePart),
  errors: read,
});

export const addCaseParts = defineCall({
  method: 'POST',
  path: '/cases/:id/parts',
  summary:
    'Adds parts at the end, all or none. 409 wouldLockOut if people who read the case now would lose it, unless ' +
    '`lockOut` is sent; 409 partThere for parts that are in it already',
  action: 'case.update',
  input: z.object({
    params,
    body: z.strictObject({
      parts: z.array(newCasePart).min(1, 'No part is chosen').max(LIST_MAX),
      lockOut: z.literal(true).optional(),
    }),
  }),
  answer: z.array(casePart),
  errors: [...write, 'hidesFromMaker', 'partThere', 'wouldLockOut', 'ruleRefused'],
});

export const updateCasePart = defineCall({
  method: 'PUT',
  path: '/cases/:id/parts/:partId',
  summary: 'Changes the remark of a part, the title of a track, or title and text of a note',
  action: 'case.update',
  input: z.object({
    params: z.object({ id, partId: id }),
    body: z.strictObject({
      title: casePartTitle.optional(),
      text: caseNoteText.optional(),
      remark: casePartRemark.optional(),
      revision: z.int(),
    }),
  }),
  answer: casePart,
  errors: [...write, 'revisionConflict', 'ruleRefused'],
});

export const removeCaseParts = defineCall({
  method: 'DELETE',
  path: '/cases/:id/parts',
  summary: 'Removes parts from a case, all or none. They can be put back for a day, and the items that they show stay',
  action: 'case.update',
  input: z.object({ params, body: parts }),
  answer: done,
  errors: [...write, 'ruleRefused'],
});

export const restoreCaseParts = defineCall({
  method: 'POST',
  path: '/cases/:id/parts/restore',
  summary: 'Puts back parts that were removed within the last day, all or none',
  action: 'case.update',
  input: z.object({ params, body: parts.extend({ lockOut: z.literal(true).optional() }) }),
  answer: done,
  errors: [...write, 'hidesFromMaker', 'partThere', 'wouldLockOut', 'ruleRefused'],
});

export const orderCaseParts = defineCall({
  method: 'PUT',
  path: '/cases/:id/order',
  summary:
    'Orders the parts of a case; the list names all that the caller may read. A hidden part stays after the part ' +
    'that it followed; the answer is the case with its new revision',
  action: 'case.update',
  input: z.object({
    params,
    body: z.strictObject({
      parts: z.array(id).min(1).max(CASE_PARTS_MAX),
      /** Revision of the case. */
      revision: z.int(),
    }),
  }),
  answer: caseRow,
  errors: [...write, 'revisionConflict', 'ruleRefused'],
});

export const listCasePeople = defineCall({
  method: 'GET',
  path: '/cases/:id/people',
  summary:
    'Lists accounts that the owner can name as editors or, with `as=owner`, hand the case over to (admins too). ' +
    'They may read the case, and share a usergroup with the caller or are editors already; admins get all that ' +
    'may read it. At most 500, by name',
  action: 'case.own',
  input: z.object({ params, query: z.object({ as: z.enum(['editor', 'owner']).default('editor') }) }),
  answer: z.array(z.object({ _id: id, username: z.string() })),
  errors: [...read, 'forbidden'],
});

export const handOverCase = defineCall({
  method: 'PUT',
  path: '/cases/:id/owner',
  summary: 'Hands a case over to another account that may read it and create cases. For its owner and admins',
  action: 'case.own',
  input: z.object({
    params,
    body: z.strictObject({
      owner: id,
      /** Makes the current owner one of the editors, unless that is an admin, who may edit every case anyway. */
      staysEditor: z.boolean().default(false),
    }),
  }),
  answer: caseRow,
  errors: write,
});

export const caseComment = z.object({
  _id: id,
  author: z.string(),
  /** Whether the caller wrote it. */
  own: z.boolean(),
  text: z.string(),
  created: micros,
  edited: micros.nullable(),
  /** Whether it was withdrawn; its text is then shown struck through. */
  struck: z.boolean(),
});
export type CaseComment = z.output<typeof caseComment>;

const commentBody = z.strictObject({ text: caseCommentText });
const commentParams = z.object({ id, commentId: id });

export const listCaseComments = defineCall({
  method: 'GET',
  path: '/cases/:id/comments',
  summary: 'Lists the comments on a case, oldest first',
  action: 'case.read',
  input: z.object({ params }),
  answer: z.array(caseComment),
  errors: read,
});

export const addCaseComment = defineCall({
  method: 'POST',
  path: '/cases/:id/comments',
  summary: 'Adds a comment to a case',
  action: 'case.comment',
  input: z.object({ params, body: commentBody }),
  answer: caseComment,
  errors: [...write, 'ruleRefused'],
});

export const updateCaseComment = defineCall({
  method: 'PUT',
  path: '/cases/:id/comments/:commentId',
  summary: 'Changes an own comment within 15 minutes',
  action: 'case.comment',
  input: z.object({ params: commentParams, body: commentBody }),
  answer: caseComment,
  errors: [...write, 'ruleRefused'],
});

export const strikeCaseComment = defineCall({
  method: 'DELETE',
  path: '/cases/:id/comments/:commentId',
  summary: 'Strikes a comment through: an own one, or any for admins. Its text stays',
  action: 'case.comment',
  input: z.object({ params: commentParams }),
  answer: caseComment,
  errors: [...read, 'forbidden'],
});

export const holdCase = defineCall({
  method: 'PUT',
  path: '/cases/:id/hold',
  summary:
    'Puts the parts of a case on hold: nothing deletes its missions, documents, annotations, bookmarks and clips. ' +
    'Releasing them needs a reason of at least 10 characters',
  action: 'case.hold',
  input: z.object({ params, body: z.strictObject({ held: z.boolean(), reason: reasonText.optional() }) }),
  answer: caseRow,
  errors: [...write, 'holdReasonNeeded'],
});
