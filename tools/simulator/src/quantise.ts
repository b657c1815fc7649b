/**
 * Rounds to the steps of ST 0601.17. The flight is flown in these steps, so that the picture, which is drawn from it,
 * and the metadata agree to the last bit.
 */
const inSteps = (value: number, min: number, step: number): number => min + Math.round((value - min) / step) * step;

/** Tag 5: uint16 over 0..360. */
export const quantiseHeading = (deg: number): number => inSteps(((deg % 360) + 360) % 360, 0, 360 / 65535);
/** Tag 6: int16 over ±20. */
export const quantisePitch = (deg: number): number => inSteps(deg, 0, 20 / 32767);
/** Tag 7: int16 over ±50. */
export const quantiseRoll = (deg: number): number => inSteps(deg, 0, 50 / 32767);
/** Tags 13 and 14: int32 over ±90 and ±180. */
export const quantiseLat = (deg: number): number => inSteps(deg, 0, 90 / 2147483647);
export const quantiseLon = (deg: number): number => inSteps(deg, 0, 180 / 2147483647);
/** Tag 15: uint16 over -900..19000. */
export const quantiseAltitude = (metres: number): number => inSteps(metres, -900, 19900 / 65535);
/** Tags 16 and 17: uint16 over 0..180. */
export const quantiseFov = (deg: number): number => inSteps(deg, 0, 180 / 65535);
