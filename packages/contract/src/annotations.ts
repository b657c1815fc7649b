import { z } from 'zod';
import { classificationOf, classifications } from './access/classifications.ts';
import { classificationWord } from './access/labels.ts';
import { frameAnchor } from './core/anchor.ts';
import { deleteCallOf, deleteOneCallOf, listBinOf, restoreCallOf } from './core/bin-calls.ts';
import { defineCall, flag, formFile, id, list, micros, reasonText } from './core/call.ts';
import {
  ANNOTATION_FEATURES_MAX,
  ANNOTATION_VERTICES_MAX,
  FEATURE_TEXT_MAX,
  FEATURE_TITLE_MAX,
  SEARCH_MAX,
  TAGS_MAX,
} from './core/limits.ts';
import { optionalPage } from './core/page.ts';
import { documentDescription, documentTitle } from './documents.ts';
import { audiences, tag } from './missions.ts';

export const annotationTypes = ['GeoJson'] as const;

/** Title and description of an annotation have the same rules and error messages as those of a document. */
export const annotationTitle = documentTitle;
export const annotationDescription = documentDescription;

export const annotationType = z.enum(annotationTypes, {
  error: ({ input }) =>
    input === undefined || input === '' ? 'Annotation Type is required' : 'Invalid annotation type',
});

/** Position: longitude and latitude in degrees on WGS 84, and optionally metres above the ellipsoid. */
const position = z
  .array(z.number())
  .min(2)
  .max(3)
  .refine(([lon = 0, lat = 0]) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90, {
    message: 'A position is longitude and latitude in degrees',
  });
const line = z.array(position).min(2);
const ring = z.array(position).min(4);

/** Geometry according to RFC 7946, without geometry collections. Longitudes are within ±180. */
const featureGeometry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: position }),
  z.object({ type: z.literal('MultiPoint'), coordinates: z.array(position).min(1) }),
  z.object({ type: z.literal('LineString'), coordinates: line }),
  z.object({ type: z.literal('MultiLineString'), coordinates: z.array(line).min(1) }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1)).min(1) }),
]);
export type FeatureGeometry = z.output<typeof featureGeometry>;

/** Tool with which a shape was drawn, if its geometry does not show it. */
export const featureShapes = ['rectangle', 'circle', 'rings', 'sector'] as const;
export type FeatureShape = (typeof featureShapes)[number];

/** Symbols of a point. */
export const featureSymbols = [
  'pin',
  'dot',
  'cross',
  'triangle',
  'square',
  'diamond',
  'star',
  'flag',
  'anchor',
  'ship',
  'person',
  'warning',
] as const;
export type FeatureSymbol = (typeof featureSymbols)[number];

export const STROKE_WIDTH_MAX = 20;
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Not a colour: use #rrggbb');
const opacity = z.number().min(0).max(1);
/** Half the circumference of the earth, in metres. */
const RADIUS_MAX_M = 20_037_508;
const radius = z.number().gt(0).max(RADIUS_MAX_M);
const bearing = z.number().min(0).max(360);

/** Properties of a feature; unknown ones are dropped. */
export const featureProperties = z.object({
  stroke: colour.optional(),
  /** Line width in pixels. */
  'stroke-width': z.number().min(1).max(STROKE_WIDTH_MAX).optional(),
  'stroke-opacity': opacity.optional(),
  'fill-color': colour.optional(),
  'fill-opacity': opacity.optional(),
  featureTitle: z.string().max(FEATURE_TITLE_MAX).optional(),
  title: z.string().max(FEATURE_TITLE_MAX).optional(),
  /** Shown as plain text, never as markup. */
  popupContent: z.string().max(FEATURE_TEXT_MAX).optional(),
  shape: z.enum(featureShapes).optional(),
  /** Centre, only of circles, sectors and range rings. */
  centre: position.optional(),
  /** Radius in metres, of a circle or a sector; for range rings that of the largest ring. */
  radius: radius.optional(),
  /** Number of rings at equal distances. */
  ringCount: z.int().min(1).max(20).optional(),
  /** Bearings that limit a sector, in degrees clockwise from true north. */
  bearingFrom: bearing.optional(),
  bearingTo: bearing.optional(),
  symbol: z.enum(featureSymbols).optional(),
});
export type FeatureProperties = z.output<typeof featureProperties>;

export const annotationFeature = z.object({
  type: z.literal('Feature'),
  properties: z
    .union([featureProperties, z.null()])
    .optional()
    .transform((given): FeatureProperties => given ?? {}),
  geometry: featureGeometry,
});
export type AnnotationFeature = z.output<typeof annotationFeature>;

/** Positions in coordinates of any depth. Stops counting above the limit. */
export function countVertices(coordinates: unknown): number {
  if (!Array.isArray(coordinates)) return 0;
  if (typeof coordinates[0] === 'number') return 1;
  let count = 0;
  for (const part of coordinates) {
    count += countVertices(part);
    if (count > ANNOTATION_VERTICES_MAX) break;
  }
  return count;
}

const coordinatesOf = (feature: unknown): unknown =>
  (feature as { geometry?: { coordinates?: unknown } } | null)?.geometry?.coordinates;

const TOO_MANY_VERTICES = `More than ${ANNOTATION_VERTICES_MAX} vertices`;

/** Positions are counted before each is validated, so that a request crafted to be slow is refused quickly. */
export const annotationFeatures = z.preprocess(
  (features, context) => {
    if (!Array.isArray(features)) return features;
    let vertices = 0;
    for (const feature of features) {
      vertices += countVertices(coordinatesOf(feature));
      if (vertices <= ANNOTATION_VERTICES_MAX) continue;
      context.addIssue({ code: 'custom', message: TOO_MANY_VERTICES });
      return z.NEVER;
    }
    return features;
  },
  z
    .array(annotationFeature, {
      error: ({ input }) => (input === undefined ? 'Features are required' : 'Features must be a list'),
    })
    .min(1, 'Features array must not be empty')
    .max(ANNOTATION_FEATURES_MAX, `More than ${ANNOTATION_FEATURES_MAX} features`),
);

const label = z
  .union([z.enum(classifications), z.int().min(1).max(classifications.length)], {
    error: 'Invalid security classification',
  })
  .transform((value) => (typeof value === 'number' ? classificationOf(value) : value));

const fields = {
  title: annotationTitle,
  description: annotationDescription,
  annotationType,
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
  type: z.literal('FeatureCollection'),
  features: annotationFeatures,
  /** Mission to which the annotation belongs. A label below the mission's, or a wider audience, is refused. */
  missionId: id.nullable(),
  /** Span of the mission clock in which the annotation is shown. Either both are set, or neither. */
  startTime: micros.nullable(),
  endTime: micros.nullable(),
};

/** Frame of a mission on which an annotation is drawn. */
const newFrame = z.strictObject({
  sensorId: id,
  /** Time of the mission clock while the frame is on screen, in UTC microseconds. */
  time: micros,
});

/**
 * Frame on which an annotation was drawn. Its time is derived whenever it is read, and the span in which the annotation
 * is shown moves with it.
 */
export const annotationFrame = z.object({
  /** Null: the sensor was removed. */
  sensorId: id.nullable(),
  /** UTC microseconds; if the frame no longer exists, its last known time. */
  time: micros,
  /** Null until the recording with the frame has been processed. */
  anchor: frameAnchor.nullable(),
  /** State of the frame, as for bookmarks. */
  state: z.enum(['shown', 'waiting', 'gone']),
});
export type AnnotationFrame = z.output<typeof annotationFrame>;

type Times = { startTime?: number | null | undefined; endTime?: number | null | undefined };

const isSpan = ({ startTime, endTime }: Times) =>
  (startTime ?? null) === null ? (endTime ?? null) === null : typeof endTime === 'number' && endTime > startTime!;

/** Fields of a new annotation. The dialog and the server check with this same schema. */
export const newAnnotation = z.strictObject({
  title: fields.title,
  description: fields.description.default(''),
  annotationType: fields.annotationType,
  /** Label; if omitted, the highest label of the installation is stored, and the item counts as unmarked. */
  securityClassification: label.optional(),
  restricted: fields.restricted.default(false),
  usergroups: fields.usergroups.default([]),
  audience: fields.audience.default('groups'),
  tags: fields.tags.default([]),
  type: fields.type,
  features: fields.features,
  missionId: fields.missionId.default(null),
  startTime: fields.startTime.default(null),
  endTime: fields.endTime.default(null),
  /** Frame on which it was drawn; requires a mission. */
  frame: newFrame.nullable().default(null),
});
export type NewAnnotation = z.output<typeof newAnnotation>;

/** Body of PUT annotations/{id}; omitted fields are not changed. The mission of an annotation cannot be changed. */
export const changedAnnotation = z.strictObject({
  title: fields.title.optional(),
  description: fields.description.optional(),
  annotationType: fields.annotationType.optional(),
  securityClassification: label.optional(),
  restricted: fields.restricted.optional(),
  usergroups: fields.usergroups.optional(),
  audience: fields.audience.optional(),
  tags: fields.tags.optional(),
  type: fields.type.optional(),
  features: fields.features.optional(),
  startTime: fields.startTime.optional(),
  endTime: fields.endTime.optional(),
  revision: z.int().optional(),
  /** Required to lower the label or to extend the audience. */
  reason: reasonText.optional(),
});
export type ChangedAnnotation = z.output<typeof changedAnnotation>;

/** Returns whether start and end of a span are both given, in order, or both missing. */
export const isAnnotationSpan = isSpan;

/** One row of the annotations table. Field names are those of the specification. */
export const annotationRow = z.object({
  _id: id,
  title: z.string(),
  description: z.string(),
  annotationType: z.enum(annotationTypes),
  securityClassification: classificationWord,
  /** False: the label was never chosen; shown as UNMARKED. */
  marked: z.boolean(),
  restricted: z.boolean(),
  /** Ids of user groups, only those that the caller may know of. */
  usergroups: z.array(id),
  audience: z.enum(audiences),
  tags: z.array(z.string()),
  /** Number of features, and of positions in all of them together. */
  geometries: z.int(),
  vertices: z.int(),
  author: z.string(),
  authorId: id.nullable(),
  creationTime: micros,
  missionId: id.nullable(),
  startTime: micros.nullable(),
  endTime: micros.nullable(),
  /** Null if not drawn on video. */
  frame: annotationFrame.nullable(),
  /** Must be sent back with PUT, which answers 409 if the row was changed in the meantime. */
  revision: z.int(),
  /** Time of its deletion to the bin; null if it is not in the bin. */
  deletedTime: micros.nullable(),
  /** "Held by case 7", or "Held", if a case prevents its deletion; otherwise absent. */
  heldBy: z.string().optional(),
});
export type AnnotationRow = z.output<typeof annotationRow>;

/** Complete annotation, as needed for editing. */
export const annotation = annotationRow.extend({
  type: z.literal('FeatureCollection'),
  features: z.array(annotationFeature),
});
export type Annotation = z.output<typeof annotation>;

/**
 * An annotation as shown on a map: its features that touch the box, with as many positions as are visible at the zoom.
 */
export const shownAnnotation = z.object({
  ...annotationRow.pick({
    ...{ _id: true, title: true, description: true, author: true, securityClassification: true, marked: true },
    ...{ missionId: true, startTime: true, endTime: true },
  }).shape,
  /** Whether positions were omitted. */
  simplified: z.boolean(),
  features: z.array(annotationFeature),
});
export type ShownAnnotation = z.output<typeof shownAnnotation>;

export const annotationSorts = [
  'title',
  'description',
  'tags',
  'geometries',
  'restricted',
  'author',
  'creationTime',
  'securityClassification',
] as const;
const sortKeys = annotationSorts.flatMap((key) => [key, `-${key}`] as const);

export const annotationFilter = z.object({
  /** Returns one annotation completely. */
  id: id.optional(),
  /** `minLon,minLat,maxLon,maxLat`; a minLon above maxLon means a box across the antimeridian. */
  bbox: z.string().max(200).optional(),
  /**
   * Zoom of the map that shows the box, 0 to 24; if omitted, that of a map 1,024 px wide that shows exactly the box.
   */
  zoom: z
    .string()
    .regex(/^\d{1,2}(?:\.\d{1,6})?$/)
    .transform(Number)
    .pipe(z.number().max(24))
    .optional(),
  /** With a box: returns rows without features, in pages, as without a box. */
  rows: flag.optional(),
  /** Limits the result to annotations of this mission. */
  mission: id.optional(),
  /** Words in title, description, tags or author, matched literally. */
  search: z.string().max(SEARCH_MAX).optional(),
  tags: list().optional(),
  sort: z.enum(sortKeys).optional(),
  ...optionalPage,
});
export type AnnotationFilter = z.output<typeof annotationFilter>;

const params = z.object({ id });
const sharingErrors = [
  ...(['labelAboveGroup', 'hidesFromMaker', 'unknownUsergroup'] as const),
  ...(['labelBelowMission', 'widerThanMission', 'ruleRefused'] as const),
] as const;
const many = z.array(id).min(1).max(500);

export const listAnnotations = defineCall({
  method: 'GET',
  path: '/annotations',
  summary:
    'Lists annotations, or returns one. With `id`, returns this annotation, whole. With `bbox`, lists those that ' +
    'touch the box, newest first, at most 1,000, as a map at `zoom` shows them. Otherwise, or with `rows`, lists ' +
    'rows of the table, newest first: without `limit` at most 500; the next cursor is in X-Next-After and, with ' +
    'count=1, the number of all in X-Total-Count',
  action: 'annotation.list',
  input: z.object({ query: annotationFilter }),
  answer: z.union([annotation, z.array(shownAnnotation), z.array(annotationRow)]),
  errors: ['invalid', 'notSignedIn', 'notFound'],
});

export const listAnnotationBin = listBinOf({ plural: 'annotations', item: 'annotation' }, annotationRow);

/** Maximum size of the JSON of an annotation in bytes, which is more than for other calls. */
export const ANNOTATION_BYTES_MAX = 5 * 1024 * 1024;

export const createAnnotation = defineCall({
  method: 'POST',
  path: '/annotations',
  summary: 'Creates an annotation from a FeatureCollection with title, label and audience',
  action: 'annotation.create',
  input: z.object({ body: newAnnotation }),
  bodyBytes: ANNOTATION_BYTES_MAX,
  answer: annotationRow,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', ...sharingErrors],
});

export const updateAnnotation = defineCall({
  method: 'PUT',
  path: '/annotations/:id',
  summary: 'Changes an annotation and keeps omitted fields',
  action: 'annotation.update',
  input: z.object({ params, body: changedAnnotation }),
  bodyBytes: ANNOTATION_BYTES_MAX,
  answer: annotationRow,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'revisionConflict', 'reasonNeeded', ...sharingErrors],
});

export const deleteAnnotation = deleteOneCallOf({ plural: 'annotations', item: 'annotation' }, 'an annotation');

export const deleteAnnotations = deleteCallOf({ plural: 'annotations', item: 'annotation', ids: many }, ['caseHeld']);

export const restoreAnnotations = restoreCallOf({ plural: 'annotations', item: 'annotation', ids: many });

export const annotationExportFormats = ['geojson', 'kml', 'gpx'] as const;

export const exportAnnotations = defineCall({
  method: 'POST',
  path: '/annotations/export',
  summary:
    'Exports annotations as one GeoJSON, KML or GPX file with their fields: those named, or all that the filter ' +
    'finds. X-Total-Count states how many it holds; the file name contains the highest label',
  action: 'annotation.exportAny',
  input: z.object({
    body: z.strictObject({
      format: z.enum(annotationExportFormats).default('geojson'),
      /**
       * Annotations to export. If omitted, all that the caller may read, limited by the other fields. A hidden one
       * results in 404.
       */
      annotations: many.optional(),
      search: z.string().max(SEARCH_MAX).optional(),
      bbox: z.string().max(200).optional(),
    }),
  }),
  raw: 'media',
  answer: z.unknown(),
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'ruleRefused'],
});

/** A feature that could not be imported: its number, counted from 1, and the reason as a complete sentence. */
export const importRemark = z.object({ feature: z.int().nullable(), name: z.string(), reason: z.string() });
export type ImportRemark = z.output<typeof importRemark>;

/** Features of a file that are imported as one annotation. */
export const importedPart = z.object({ title: z.string(), features: z.array(annotationFeature) });

export const importedAnnotations = z.object({
  format: z.enum(['geojson', 'kml', 'kmz', 'gpx', 'shapefile']),
  /** Highest label stated in the file, as in exports of annotations; omitted if it states none. */
  securityClassification: classificationWord.optional(),
  /**
   * Parts of the file: one if it fits into a single annotation, otherwise as many as needed; empty if nothing could be
   * imported.
   */
  parts: z.array(importedPart),
  remarks: z.array(importRemark),
  /** Number of further remarks that are not listed. */
  moreRemarks: z.int(),
  /** Number of positions in the file, and of those that remain after simplification. */
  vertices: z.int(),
  keptVertices: z.int(),
});
export type ImportedAnnotations = z.output<typeof importedAnnotations>;

/** Maximum size of an imported file, in bytes. */
export const ANNOTATION_FILE_MAX = 32 * 1024 * 1024;

export const importAnnotations = defineCall({
  method: 'POST',
  path: '/annotations/import',
  summary:
    'Reads a GeoJSON, KML, KMZ or GPX file or a zip with a shapefile, and returns its features as POST ' +
    'annotations takes them. Creates nothing. With `simplify` in the query, returns one part with fewer positions ' +
    'in place of several parts',
  action: 'annotation.createAny',
  raw: 'form',
  form: z.object({ file: formFile }),
  input: z.object({ query: z.object({ simplify: flag.optional() }) }),
  answer: importedAnnotations,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'bodyTooLarge', 'badFile', 'emptyFile', 'unavailable'],
});
