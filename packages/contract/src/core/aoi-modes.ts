/**
 * The part of a recording that is compared with an area: the ground seen, the centres of the pictures, or the path of
 * the platform.
 */
export const aoiModes = ['sensorArea', 'frameCenter', 'platformPath'] as const;
export type AoiMode = (typeof aoiModes)[number];
