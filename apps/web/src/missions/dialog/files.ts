import type { UploadItem } from '../../uploads/upload-store.ts';

/**
 * Types accepted by the file picker. They are listed by suffix too, because browsers do not know the type of a .ts
 * file.
 */
export const ACCEPTED =
  '.ts,.m2ts,.mts,.mpg,.mp4,.m4v,.mov,.mkv,.webm,.zip,.json,.txt,.csv,.srt,.gpx,.kml,.geojson,.ulg,.bin,.tlog,.nmea,.ais,.log,.gz,video/mp2t,application/zip,application/json,text/plain,video/mp4,video/quicktime,video/x-matroska,video/webm';

const suffixes: ReadonlySet<string> = new Set(ACCEPTED.split(',').filter((part) => part.startsWith('.')));
const types: ReadonlySet<string> = new Set([
  'video/mp2t',
  'video/mp4',
  'video/quicktime',
  'video/x-matroska',
  'video/webm',
  'application/zip',
  'application/x-zip-compressed',
  'application/json',
  'text/plain',
]);

/** Names of telemetry files, whose path is a track on the map. */
export const TELEMETRY_NAME = /\.(?:csv|srt|gpx|kml|geojson|ulg|bin|tlog)$/i;
/** Names of manifest files, which describe the other files. */
export const MANIFEST_NAME = /\.(?:json|txt)$/i;

/** Checks a file by name and type only; the server checks its contents. */
export function isAccepted({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  const dot = name.lastIndexOf('.');
  return types.has(type) || (dot >= 0 && suffixes.has(name.slice(dot).toLowerCase()));
}

export const isSameFile = (a: File, b: File): boolean =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

/** Whether an upload is for this sensor and not yet done. */
export const isOnItsWay = ({ target, state }: UploadItem, sensorId: string | null): boolean =>
  target.kind === 'sensor' && target.sensorId === sensorId && state !== 'done';
