import type { Classification, newCasePart } from '@osprey/contract';
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

export type Labelled = { securityClassification: Classification; marked: boolean };

/** Rows of a feature as parts; `labelled`: what their label comes from, themselves or their mission. */
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

/** Makes a track part for a case: the positions and the footprints of a sensor from In to Out. */
export const collectedTrack = (span: Span, mission: Labelled): Collected =>
  collectedOf([span], [mission], (one) => ({ kind: 'track', ...one }));
