import { z } from 'zod';
import { classification, classificationWord } from './access/labels.ts';
import { deleteOneCallOf, listBinOf, restoreCallOf } from './core/bin-calls.ts';
import { defineCall, flag, formFile, id, list, micros, moment, reasonText } from './core/call.ts';
import { geometry } from './core/geometry.ts';
import { DOCUMENT_DESCRIPTION_MAX, DOCUMENT_TITLE_MAX, NAME_MAX, SEARCH_MAX, TAGS_MAX } from './core/limits.ts';
import { page } from './core/page.ts';
import { audiences, tag } from './missions.ts';

export { type Geometry as DocumentGeometry, geometry as documentGeometry } from './core/geometry.ts';

/** Document types in the order of specification 1, section 4; the dialog's default is Note. */
export const documentTypes = ['Report', 'Note', 'Document', 'Image', 'Video', 'Schedule', 'Log', 'Misc'] as const;
export type DocumentType = (typeof documentTypes)[number];

export const documentStates = ['Processing', 'Ready', 'Failed'] as const;

/** Kind of a file, detected from its bytes. */
export const documentContents = [
  'pdf',
  'png',
  'jpeg',
  'gif',
  'webp',
  'tiff',
  'avif',
  'heic',
  'mp4',
  'ts',
  'zip',
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'ods',
  'ole',
  'kml',
  'kmz',
  'geojson',
  'json',
  'csv',
  'text',
  'bin',
] as const;
export type DocumentContent = (typeof documentContents)[number];

/**
 * How much of the text inside a document is searched: nothing, only the file's metadata fields, the first part, or all.
 */
export const textScopes = ['none', 'fields', 'part', 'all'] as const;

export const documentTitle = z
  .string()
  .trim()
  .min(1, 'Title is required')
  .max(DOCUMENT_TITLE_MAX, `Title must be ${DOCUMENT_TITLE_MAX} characters or less`)
  .regex(/^[\p{L}\p{M}\p{N} _-]*$/u, 'Title can only contain letters, numbers, spaces, underscores, and hyphens');

export const documentDescription = z
  .string()
  .max(DOCUMENT_DESCRIPTION_MAX, `Description must be ${DOCUMENT_DESCRIPTION_MAX} characters or less`);

export const documentType = z.enum(documentTypes, {
  error: ({ input }) => (input === undefined || input === '' ? 'Document Type is required' : 'Invalid document type'),
});

const fields = {
  title: documentTitle,
  description: documentDescription,
  documentType,
  platformName: z.string().trim().max(NAME_MAX),
  /** Edit lock, which limits who may change or delete, never who may read. */
  restricted: z.boolean(),
  usergroups: z
    .array(z.union([id, z.literal('')]))
    .max(200)
    .transform((ids) => [...new Set(ids.filter((one) => one !== ''))]),
  audience: z.enum(audiences),
  tags: z
    .array(tag)
    .max(TAGS_MAX)
    .transform((tags) => [...new Set(tags)]),
};

/** Origin of the picture of a snapshot: the server, from the recording, or the browser of its author. */
export const pictureSources = ['server', 'browser'] as const;
export type PictureSource = (typeof pictureSources)[number];

/**
 * Value of `purpose` in the metadata of an upload to /api/uploads, for a file that belongs to no sensor. The file is
 * kept until a POST of documents or map/files refers to it.
 */
export const uploadPurposes = { document: 'document', tiles: 'tiles' } as const;

/** Fields of a new document. The dialog and the server check with this same schema. */
export const newDocument = z.object({
  title: fields.title,
  description: fields.description.default(''),
  documentType: fields.documentType,
  platformName: fields.platformName.default(''),
  /** Label; if omitted, the highest label of the installation is stored, and the item counts as unmarked. */
  securityClassification: classification.optional(),
  restricted: fields.restricted.default(false),
  usergroups: fields.usergroups.default([]),
  audience: fields.audience.default('groups'),
  tags: fields.tags.default([]),
  geometry: geometry.nullable().default(null),
});
export type NewDocument = z.output<typeof newDocument>;

/**
 * Parses JSON in the text of a form field. Other text is returned unchanged, so that the next schema reports its error.
 */
const jsonText = (text: unknown) => {
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const labelText = (text: unknown) => (typeof text === 'string' && /^[1-5]$/.test(text) ? Number(text) : text);

/** Fields of a new document in a multipart form: lists and geometry as JSON text, booleans as words. */
export const documentForm = z.object({
  ...newDocument.shape,
  securityClassification: z.preprocess(labelText, newDocument.shape.securityClassification),
  restricted: z.preprocess(jsonText, newDocument.shape.restricted),
  usergroups: z.preprocess(jsonText, newDocument.shape.usergroups),
  tags: z.preprocess(jsonText, newDocument.shape.tags),
  geometry: z.preprocess(jsonText, newDocument.shape.geometry),
  /** Id of a completed resumable upload, instead of the field `file`. */
  upload: id.optional(),
});

/** One row of the documents table. Field names are those of the specification. */
export const documentRow = z.object({
  _id: id,
  title: z.string(),
  description: z.string(),
  documentType: z.enum(documentTypes),
  platformName: z.string(),
  restricted: z.boolean(),
  /** Ids of user groups, only those that the caller may know of. */
  usergroups: z.array(id),
  audience: z.enum(audiences),
  author: z.string(),
  creationTime: micros,
  /** File name on the user's machine; for display only. */
  fileName: z.string(),
  /**
   * Bearer token to download this document in this session, valid for 5 minutes, from lists and `GET documents/{id}`;
   * null for guests and accounts that may not download it. POST documents/{id}/token returns a new one.
   */
  accessToken: z.string().nullable(),
  /** Path relative to the server's address; null while there is no thumbnail. */
  thumbnail: z.string().nullable(),
  state: z.enum(documentStates),
  tags: z.array(z.string()),
  geometry: geometry.nullable(),
  /** Origin of the geometry. */
  geometrySource: z.enum(['file', 'user']).nullable(),
  securityClassification: classificationWord,
  /** False: the label was never chosen; shown as UNMARKED. */
  marked: z.boolean(),
  content: z.enum(documentContents),
  /** Origin of a snapshot's picture; null for any other document. */
  snapshot: z.enum(pictureSources).nullable(),
  /** Whether a snapshot has a second picture with overlays, rendered by its author's browser. */
  overlays: z.boolean(),
  sizeBytes: z.int(),
  sha256: z.string(),
  /** Number of pages of a PDF; null until it was read. */
  pages: z.int().nullable(),
  textScope: z.enum(textScopes),
  /** Sentence that explains why there is no picture or text. */
  message: z.string().nullable(),
  /** Must be sent back with PUT, which answers 409 if the row was changed in the meantime. */
  revision: z.int(),
  /** Time of its deletion to the bin; null if it is not in the bin. */
  deletedTime: micros.nullable(),
  /** "Held by case 7", or "Held", if a case prevents its deletion; otherwise absent. */
  heldBy: z.string().optional(),
});
export type DocumentRow = z.output<typeof documentRow>;

export const documentSorts = [
  'documentType',
  'title',
  'description',
  'platformName',
  'restricted',
  'author',
  'creationTime',
  'securityClassification',
] as const;
const sortKeys = documentSorts.flatMap((key) => [key, `-${key}`] as const);

export const documentFilter = z.object({
  /**
   * Words in title, description, tags, author, platform, file name, or the text inside the document; matched literally.
   */
  search: z.string().max(SEARCH_MAX).optional(),
  start: moment.optional(),
  end: moment.optional(),
  tags: list().optional(),
  usergroups: list().pipe(z.array(id)).optional(),
  /** GeoJSON Polygon or MultiPolygon as JSON text, or `minLon,minLat,maxLon,maxLat`. */
  geometry: z.string().max(100_000).optional(),
  documentType: list()
    .pipe(z.array(z.enum(documentTypes)))
    .optional(),
  sort: z.enum(sortKeys).optional(),
  ...page,
});
export type DocumentFilter = z.output<typeof documentFilter>;

const params = z.object({ id });
const readErrors = ['notSignedIn', 'notFound'] as const;
const sharingErrors = ['labelAboveGroup', 'hidesFromMaker', 'unknownUsergroup'] as const;

export const listDocuments = defineCall({
  method: 'GET',
  path: '/documents',
  summary:
    'Lists documents that the caller may read, newest first, as one page. The next cursor is in X-Next-After and, ' +
    'with count=1, the number of all in X-Total-Count',
  action: 'document.list',
  input: z.object({ query: documentFilter }),
  answer: z.array(documentRow),
  errors: ['invalid', 'notSignedIn'],
});

export const listDocumentBin = listBinOf({ plural: 'documents', item: 'document' }, documentRow);

export const getDocument = defineCall({
  method: 'GET',
  path: '/documents/:id',
  summary: 'Returns one document',
  action: 'document.read',
  input: z.object({ params }),
  /**
   * `downloadSha256`: SHA-256 of a snapshot in the form in which it is downloaded now, with label and place; null for
   * other documents.
   */
  answer: documentRow.extend({ downloadSha256: z.string().nullable() }),
  errors: readErrors,
});

export const createDocument = defineCall({
  method: 'POST',
  path: '/documents',
  summary:
    'Creates a document from a multipart form: title, description, documentType, securityClassification, ' +
    'restricted, usergroups, tags, platformName, audience, geometry, and file; lists and geometry as JSON text. ' +
    'In place of file, upload may name a finished resumable upload (/api/uploads)',
  action: 'document.create',
  raw: 'form',
  form: documentForm.extend({ file: formFile.optional() }),
  input: z.object({}),
  answer: documentRow,
  errors: [
    'invalid',
    'notSignedIn',
    'forbidden',
    'notFound',
    'emptyFile',
    'unsupportedFile',
    'diskFull',
    ...sharingErrors,
  ],
});

/** Body of PUT documents/{id}; omitted fields are not changed. */
export const changedDocument = z.strictObject({
  title: fields.title.optional(),
  description: fields.description.optional(),
  documentType: fields.documentType.optional(),
  platformName: fields.platformName.optional(),
  securityClassification: classification.optional(),
  restricted: fields.restricted.optional(),
  usergroups: fields.usergroups.optional(),
  audience: fields.audience.optional(),
  tags: fields.tags.optional(),
  geometry: geometry.nullable().optional(),
  revision: z.int().optional(),
  /** Required to lower the label or to extend the audience. */
  reason: reasonText.optional(),
});
export type ChangedDocument = z.output<typeof changedDocument>;

export const updateDocument = defineCall({
  method: 'PUT',
  path: '/documents/:id',
  summary: 'Changes a document and keeps omitted fields',
  action: 'document.update',
  input: z.object({ params, body: changedDocument }),
  answer: documentRow,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'revisionConflict', 'reasonNeeded', ...sharingErrors],
});

export const deleteDocument = deleteOneCallOf({ plural: 'documents', item: 'document' }, 'a document');

export const restoreDocuments = restoreCallOf({
  plural: 'documents',
  item: 'document',
  ids: z.array(id).min(1).max(500),
});

export const createDocumentToken = defineCall({
  method: 'POST',
  path: '/documents/:id/token',
  summary: 'Creates a Bearer token to download this document in this session, valid for 60 s',
  action: 'document.download',
  input: z.object({ params }),
  answer: z.object({ accessToken: z.string(), expires: micros }),
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});

const tokenQuery = z.object({ token: z.string().max(2048).optional() });
const media = { method: 'GET', answer: z.unknown(), raw: 'media' } as const;

export const downloadDocument = defineCall({
  ...media,
  path: '/documents/:id/content',
  summary:
    'Returns the stored file, whole or one byte range, always as an attachment. A snapshot states its label, with ' +
    'strip also below the picture; with overlays, returns its second picture',
  action: 'document.download',
  input: z.object({ params, query: tokenQuery.extend({ strip: flag.optional(), overlays: flag.optional() }) }),
  errors: ['notSignedIn', 'forbidden', 'notFound', 'rangeNotSatisfiable', 'badFile'],
});

export const getDocumentThumbnail = defineCall({
  ...media,
  path: '/documents/thumbnails/:thumbnail',
  summary: 'Returns a small picture of a document, also at /documents/{thumbnail}',
  action: 'document.read',
  input: z.object({
    params: z.object({ thumbnail: z.string().regex(/^[0-9a-f-]{36}\.webp$/) }),
    query: tokenQuery,
  }),
  errors: readErrors,
});

export const getDocumentPage = defineCall({
  ...media,
  path: '/documents/:id/pages/:page',
  summary:
    'Returns a page of a PDF, or an image, as a picture drawn by the server, without metadata. Page 2 of a ' +
    'snapshot is its picture with overlays',
  action: 'document.read',
  input: z.object({
    params: z.object({
      id,
      page: z
        .string()
        .regex(/^[1-9]\d{0,4}$/)
        .transform(Number),
    }),
    query: tokenQuery,
  }),
  errors: [...readErrors, 'badFile', 'unavailable'],
});

export const getDocumentText = defineCall({
  method: 'GET',
  path: '/documents/:id/text',
  summary: 'Returns the beginning of a text document, for the screen',
  action: 'document.read',
  input: z.object({ params }),
  answer: z.object({
    text: z.string(),
    /** Whether there is more text than this. */
    more: z.boolean(),
  }),
  errors: [...readErrors, 'badFile'],
});

export const getDocumentVideo = defineCall({
  ...media,
  path: '/documents/:id/video',
  summary: 'Returns the bytes of an MP4, or of a transport stream, for the player: whole or one byte range',
  action: 'document.read',
  input: z.object({ params, query: tokenQuery }),
  errors: [...readErrors, 'badFile', 'rangeNotSatisfiable'],
});

export const getDocumentPlaylist = defineCall({
  ...media,
  path: '/documents/:id/video.m3u8',
  summary: 'Returns the HLS playlist of a transport stream, with byte ranges of documents/{id}/video',
  action: 'document.read',
  input: z.object({ params, query: tokenQuery }),
  errors: [...readErrors, 'badFile'],
});
