/** The ending tells what the bytes are: transport stream, sentences of AIS, archive, manifest or sidecar. */
type Ending = 'ts' | 'nmea' | 'zip' | 'json' | 'txt';

/** Where the originals of a sensor lie. */
export const originalsOf = (sensorId: string): string => `originals/${sensorId}`;

/** The key of one original: it lies there from its first byte as a file of a mission. */
export const originalKey = (sensorId: string, fileId: string, ending: Ending = 'ts'): string =>
  `${originalsOf(sensorId)}/${fileId}.${ending}`;

/** Where what browsers play instead of an original lies. */
export const renditionKey = (sensorId: string, fileId: string): string => `renditions/${sensorId}/${fileId}.ts`;

/** The folders of what is made from the originals of a sensor. */
export const madeFoldersOf = (sensorId: string): string[] => [`indexes/${sensorId}`, `renditions/${sensorId}`];

/** Every folder that holds files of a sensor alone: with the sensor they all go. */
export const filesOf = (sensorId: string): string[] => [originalsOf(sensorId), ...madeFoldersOf(sensorId)];
