import type { LengthUnit } from './measure.ts';

/** Where the map of the dialog is, and in what it measures; null: where the main map is. */
export type MapPlace = { center: [number, number] | null; zoom: number | null; unit: LengthUnit };
