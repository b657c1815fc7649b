/** What of a recording is compared with an area: the ground seen, the middles of the pictures, the way of the platform. */
export const aoiModes = ['sensorArea', 'frameCenter', 'platformPath'] as const;
export type AoiMode = (typeof aoiModes)[number];
