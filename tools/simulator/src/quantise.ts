/**
 * Rounds to the steps of ST 0601.17. The flight itself uses rounded values, so that the picture, which is drawn from
 * them, and the metadata agree exactly.
 */
const inSteps = (value: number, min: number, step: number): number => min + Math.round((value - min) / step) * step;

/** Rounds as tag 5: uint16 over 0..360. */
export const quantiseHeading = (deg: number): number => inSteps(((deg % 360) + 360) % 360, 0, 360 / 65535);
/** Rounds as tag 6: int16 over ±20. */
export const quantisePitch = (deg: number): number => inSteps(deg, 0, 20 / 32767);
/** Rounds as tag 7: int16 over ±50. */
export const quantiseRoll = (deg: number): number => inSteps(deg, 0, 50 / 32767);
/** Rounds as tags 13 and 14: int32 over ±90 and ±180. */
export const quantiseLat = (deg: number): number => inSteps(deg, 0, 90 / 2147483647);
export const quantiseLon = (deg: number): number => inSteps(deg, 0, 180 / 2147483647);
/** Rounds as tag 15: uint16 over -900..19000. */
export const quantiseAltitude = (metres: number): number => inSteps(metres, -900, 19900 / 65535);
/** Rounds as tags 16 and 17: uint16 over 0..180. */
export const quantiseFov = (deg: number): number => inSteps(deg, 0, 180 / 65535);
