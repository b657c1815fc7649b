import { AppError } from '@osprey/contract';
import { removeStarting } from '../../base/storage/remove-starting.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { findJson } from './file-index.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/**
 * File names: `{sensorId}.jpg` is the poster of a sensor, `{sensorId}-{n}.jpg` is one of the pictures along its
 * timeline.
 */
const PICTURE = new RegExp(`^(${UUID})(?:-(\\d{1,6}))?\\.jpg$`);

/** Pictures along a sensor's timeline, with their times on the sensor's own clock, and the index that they were made of. */
export type PictureList = { indexKey?: string; pictures: { n: number; timeUs: number }[] };

/**
 * In place of the key of an index, for pictures of a recording that is still running. Their times are those of arrival,
 * as everywhere in a running recording.
 */
export const GROWING = 'growing';

export const pictureName = (sensorId: string, n: number | null): string =>
  n === null ? `${sensorId}.jpg` : `${sensorId}-${n}.jpg`;
export const pictureKey = (missionId: string, name: string): string => `pictures/${missionId}/${name}`;
export const pictureListKey = (missionId: string, sensorId: string): string => `pictures/${missionId}/${sensorId}.json`;

/** Returns the sensor of a picture's file name. @throws AppError notFound for any other name */
export function sensorOfPicture(name: string): string {
  const sensorId = PICTURE.exec(name)?.[1];
  if (sensorId === undefined) throw new AppError('notFound');
  return sensorId;
}

/** Returns the pictures made so far; none before the job has begun. */
export async function readPictureList(storage: Storage, missionId: string, sensorId: string): Promise<PictureList> {
  return (await findJson<PictureList>(storage, pictureListKey(missionId, sensorId))) ?? { pictures: [] };
}

/** Returns times and addresses of the pictures along a sensor, for the timeline. */
export async function picturesOf(
  storage: Storage,
  { id, missionId, indexKey }: { id: string; missionId: string; indexKey: string | null },
) {
  const { pictures, indexKey: of } = await readPictureList(storage, missionId, id);
  // Pictures of a running recording have other times than its index, and are made again.
  if (of === GROWING && indexKey !== null) return [];
  return pictures.map(({ n, timeUs }) => ({ time: timeUs, url: `/videos/${missionId}/${pictureName(id, n)}` }));
}

/**
 * Removes the pictures of a sensor except those with the given keys, because the sensor no longer shows their content.
 */
export async function removePictures(
  storage: Storage,
  { missionId, sensorId, kept: retained = [] }: { missionId: string; sensorId: string; kept?: readonly string[] },
): Promise<void> {
  await removeStarting(storage, pictureKey(missionId, sensorId), retained);
}
