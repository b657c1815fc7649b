import type { Classification, newCasePart } from '@osprey/contract';
import type { z } from 'zod';
import { highestOf } from '../../base/shown-labels.ts';

/** A new part in the form in which it is sent; the remark may be left out. */
export type NewPart = z.input<typeof newCasePart>;

/** Parts to add to a case. Their label is shown, and offered as the label of a new case. */
export type Collected = {
  parts: readonly NewPart[];
  /** Titles of the parts, as their authors wrote them. */
  titles: readonly string[];
  securityClassification: Classification;
  marked: boolean;
};

export type Labelled = { securityClassification: Classification; marked: boolean };

/**
 * Converts rows of a feature to parts. `labelled`: the items from which their label comes, either the rows themselves
 * or their mission.
 */
export const collectedOf = <Row extends { title: string }>(
  rows: readonly Row[],
  labelled: readonly Labelled[],
  part: (row: Row) => NewPart,
): Collected => ({
  parts: rows.map(part),
  titles: rows.map(({ title }) => title),
  securityClassification: highestOf(labelled.map(({ securityClassification }) => securityClassification)),
  marked: labelled.every(({ marked }) => marked),
});

type Span = { sensorId: string; startTime: number; endTime: number; title: string };

/** Returns a track part for a case: the positions and the footprints of a sensor from In to Out. */
export const collectedTrack = (span: Span, mission: Labelled): Collected =>
  collectedOf([span], [mission], (one) => ({ kind: 'track', ...one }));
