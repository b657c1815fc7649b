import { AppError } from '@osprey/contract';
import type { Storage } from '../../base/storage/storage.ts';
import { pictureKey } from '../../media/index/picture-files.ts';
import type { MarkedMission } from './rows.ts';

/** Path of a picture on this server, as used in `thumbnail`, pictures and bookmarks; a token after it is ignored. */
const PATH = /^\/?(?:api\/)?videos\/([^/?#]{1,256})\/([0-9a-f-]{36}(?:-\d{1,6})?\.jpg)(?:\?[^#]*)?$/;

/**
 * Returns the name of the picture in a path. It must be a picture of this mission, which the caller may read. No other
 * address is accepted, so that viewers of the bookmark fetch nothing from other servers.
 *
 * @throws AppError invalid
 */
export async function chosenPicture(
  storage: Pick<Storage, 'stat'>,
  { id, name }: Pick<MarkedMission, 'id' | 'name'>,
  path: string | null,
): Promise<string | null> {
  if (path === null || path === '') return null;
  const [, mission, picture] = PATH.exec(path) ?? [];
  const isOwn = mission !== undefined && [id, name, encodeURIComponent(name)].includes(mission);
  if (!isOwn || picture === undefined || (await storage.stat(pictureKey(id, picture))) === null) {
    throw new AppError('invalid', { 'body.thumbnailUrl': 'Not the path of a picture of this mission' });
  }
  return picture;
}
