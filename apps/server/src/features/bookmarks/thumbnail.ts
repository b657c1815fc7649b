import { AppError } from '@osprey/contract';
import type { Storage } from '../../base/storage/storage.ts';
import { pictureKey } from '../../media/index/picture-files.ts';
import type { MarkedMission } from './rows.ts';

/** A path of this server, as `thumbnail`, pictures and bookmarks have it; a token after it is left out. */
const PATH = /^\/?(?:api\/)?videos\/([^/?#]{1,256})\/([0-9a-f-]{36}(?:-\d{1,6})?\.jpg)(?:\?[^#]*)?$/;

/**
 * The name of the picture that a path names. It is a picture of this mission, which the caller may read; no other
 * address is kept, so that viewers of the bookmark fetch nothing from elsewhere.
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
