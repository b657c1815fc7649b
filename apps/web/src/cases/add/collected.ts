import type { AnnotationRow, Bookmark, Classification, Clip, DocumentRow, newCasePart } from '@osprey/contract';
import type { z } from 'zod';
import { highestOf } from '../../base/shown-labels.ts';

/** As it is sent: a remark may be left out. */
export type NewPart = z.input<typeof newCasePart>;

/** Parts to put into a case. Their label is shown, and offered to a new case. */
export type Collected = {
  parts: readonly NewPart[];
  /** As its author wrote it; of several the first. */
  titles: readonly string[];
  securityClassification: Classification;
  marked: boolean;
};

type Labelled = { securityClassification: Classification; marked: boolean };

const labelOf = (items: readonly Labelled[]): Labelled => ({
  securityClassification: highestOf(items.map(({ securityClassification }) => securityClassification)),
  marked: items.every(({ marked }) => marked),
});

export const collectedDocuments = (rows: readonly DocumentRow[]): Collected => ({
  parts: rows.map(({ _id, snapshot }) => ({ kind: snapshot === null ? 'document' : 'snapshot', documentId: _id })),
  titles: rows.map(({ title }) => title),
  ...labelOf(rows),
});

export const collectedAnnotations = (rows: readonly AnnotationRow[]): Collected => ({
  parts: rows.map(({ _id }) => ({ kind: 'annotation', annotationId: _id })),
  titles: rows.map(({ title }) => title),
  ...labelOf(rows),
});

/** Bookmarks and clips have the label of their mission. */
export const collectedBookmarks = (rows: readonly Bookmark[], mission: Labelled): Collected => ({
  parts: rows.map(({ _id }) => ({ kind: 'bookmark', bookmarkId: _id })),
  titles: rows.map(({ title }) => title),
  ...labelOf([mission]),
});

export const collectedClips = (rows: readonly Clip[], mission: Labelled): Collected => ({
  parts: rows.map(({ _id }) => ({ kind: 'clip', clipId: _id })),
  titles: rows.map(({ title }) => title),
  ...labelOf([mission]),
});

type Span = { sensorId: string; startTime: number; endTime: number; title: string };

/** Makes a track part for a case: the positions and the footprints of a sensor from In to Out. */
export const collectedTrack = (span: Span, mission: Labelled): Collected => ({
  parts: [{ kind: 'track', ...span }],
  titles: [span.title],
  ...labelOf([mission]),
});
