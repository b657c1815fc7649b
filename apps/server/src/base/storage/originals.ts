/** The ending is the type of the bytes: transport stream, MP4 or MOV, Matroska, AIS, archive, manifest or sidecar. */
type Ending = 'ts' | 'mp4' | 'mkv' | 'nmea' | 'zip' | 'json' | 'txt';

/** Storage key prefix of a sensor's originals. */
export const originalsOf = (sensorId: string): string => `originals/${sensorId}`;

/** The key of one original, from its first byte as a file of a mission. */
export const originalKey = (sensorId: string, fileId: string, ending: Ending = 'ts'): string =>
  `${originalsOf(sensorId)}/${fileId}.${ending}`;

/** Key of the converted copy that browsers play instead of an original. */
export const renditionKey = (sensorId: string, fileId: string): string => `renditions/${sensorId}/${fileId}.ts`;

/** Key of the transport stream that is made once of a recording in another container. */
export const streamKey = (sensorId: string, fileId: string): string => `renditions/${sensorId}/${fileId}-stream.ts`;

/** Key of the transport stream of a recording: its original, or the one made from it. */
export const streamKeyOf = (file: { id: string; sensor_id: string; kind: string; storage_key: string }): string =>
  file.kind === 'ts' ? file.storage_key : streamKey(file.sensor_id, file.id);

/** The ending of the address of an original; what holds no pictures has none of its own. */
export const mediaEnding = (kind: string): 'ts' | 'mp4' | 'mkv' => (kind === 'mp4' || kind === 'mkv' ? kind : 'ts');

/** The folders of what is made from the originals of a sensor. */
export const madeFoldersOf = (sensorId: string): string[] => [`indexes/${sensorId}`, `renditions/${sensorId}`];

/** Every folder that holds files of a sensor alone: with the sensor they all go. */
export const filesOf = (sensorId: string): string[] => [originalsOf(sensorId), ...madeFoldersOf(sensorId)];
