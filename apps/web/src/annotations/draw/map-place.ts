import type { LengthUnit } from './measure.ts';

/** Centre and zoom of the map in the dialog, and its unit of length. Null: those of the main map. */
export type MapPlace = { center: [number, number] | null; zoom: number | null; unit: LengthUnit };
