import type { AnnotationRow } from '@osprey/contract';
import { type Collected, collectedOf } from '../cases/add/collected.ts';

export const collectedAnnotations = (rows: readonly AnnotationRow[]): Collected =>
  collectedOf(rows, rows, ({ _id }) => ({ kind: 'annotation', annotationId: _id }));
