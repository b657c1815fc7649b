import type { Storage } from '../../base/storage/storage.ts';
import { type PictureList, pictureName, readPictureList } from '../../media/index/picture-files.ts';
import type { Filmed } from './part-rows.ts';

export type PictureAt = (missionId: string, filmed: Filmed) => Promise<string | null>;

/** Paths of the last picture along a sensor at or before the start, of the first of all before that; null without any. */
export function partPictures(storage: Storage): PictureAt {
  const lists = new Map<string, Promise<PictureList>>();

  return async (missionId, { sensorId, shiftUs, startUs }) => {
    const list = lists.get(sensorId) ?? readPictureList(storage, missionId, sensorId);
    lists.set(sensorId, list);
    const { pictures } = await list;
    const found = pictures.findLast(({ timeUs }) => timeUs <= startUs - shiftUs) ?? pictures[0];
    return found === undefined ? null : `/videos/${missionId}/${pictureName(sensorId, found.n)}`;
  };
}
