/** The ending tells what the bytes are: transport stream, archive, manifest or sidecar. */
type Ending = 'ts' | 'zip' | 'json' | 'txt';

/** Where the originals of a sensor lie. */
export const originalsOf = (sensorId: string): string => `originals/${sensorId}`;

/** The key of one original: it lies there from its first byte as a file of a mission. */
export const originalKey = (sensorId: string, fileId: string, ending: Ending = 'ts'): string =>
  `${originalsOf(sensorId)}/${fileId}.${ending}`;
