/** Suffix for the type of the bytes: transport stream, MP4 or MOV, Matroska, AIS, archive, manifest or sidecar. */
type Ending = 'ts' | 'mp4' | 'mkv' | 'nmea' | 'zip' | 'json' | 'txt';

/** Returns the storage key prefix of a sensor's originals. */
export const originalsOf = (sensorId: string): string => `originals/${sensorId}`;

/** Returns the storage key of an original. It remains the same from the moment the file belongs to a mission. */
export const originalKey = (sensorId: string, fileId: string, ending: Ending = 'ts'): string =>
  `${originalsOf(sensorId)}/${fileId}.${ending}`;

/** Key of the converted copy that browsers play instead of an original. */
export const renditionKey = (sensorId: string, fileId: string): string => `renditions/${sensorId}/${fileId}.ts`;

/** Key of the transport stream that is made once of a recording in another container. */
export const streamKey = (sensorId: string, fileId: string): string => `renditions/${sensorId}/${fileId}-stream.ts`;

/** Key of the transport stream of a recording: its original, or the one made from it. */
export const streamKeyOf = (file: { id: string; sensor_id: string; kind: string; storage_key: string }): string =>
  file.kind === 'ts' ? file.storage_key : streamKey(file.sensor_id, file.id);

/** Returns the suffix for the URL of an original. Files without pictures use `ts`. */
export const mediaEnding = (kind: string): 'ts' | 'mp4' | 'mkv' => (kind === 'mp4' || kind === 'mkv' ? kind : 'ts');

/** Returns the directories of everything derived from a sensor's originals. */
export const madeFoldersOf = (sensorId: string): string[] => [`indexes/${sensorId}`, `renditions/${sensorId}`];

/** Returns all directories that contain only files of one sensor. They are removed with the sensor. */
export const filesOf = (sensorId: string): string[] => [originalsOf(sensorId), ...madeFoldersOf(sensorId)];
