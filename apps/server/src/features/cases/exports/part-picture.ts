import type { Actor } from '@osprey/contract';
import { visibleDocuments } from '../../../base/access/visibility.ts';
import { pictureKey } from '../../../media/index/picture-files.ts';
import { type FrozenPart, isPacked } from './frozen.ts';
import { type PartFilesDeps, wholeFile } from './part-files.ts';

/** Pictures of a report together; what comes after them has none, so that browsers open it. */
const BUDGET_BYTES = 48 * 1024 * 1024;
const ONE_MAX_BYTES = 1024 * 1024;

export const pictureBudget = (): { left: number } => ({ left: BUDGET_BYTES });

const VIDEO_PICTURE = /^\/videos\/([0-9a-f-]{36})\/([0-9a-f-]{36}(?:-\d{1,6})?\.jpg)$/;

/** A small picture of a part as a data: URI; null where it has none. */
export async function partPicture(
  deps: PartFilesDeps,
  actor: Actor,
  part: FrozenPart,
  budget: { left: number },
): Promise<string | null> {
  if (!isPacked(part)) return null;
  const found = await pictureOf(deps, actor, part);
  if (found === null || found.bytes.length > budget.left) return null;
  budget.left -= found.bytes.length;
  return `data:${found.type};base64,${found.bytes.toString('base64')}`;
}

type Picture = { type: string; bytes: Buffer };

async function pictureOf({ db, storage }: PartFilesDeps, actor: Actor, part: FrozenPart): Promise<Picture | null> {
  const { kind, subjectId, thumbnailUrl } = part;
  if ((kind === 'document' || kind === 'snapshot') && subjectId !== null) {
    const row = await visibleDocuments(db, actor)
      .where('documents.id', '=', subjectId)
      .select(['documents.content', 'documents.size_bytes', 'documents.storage_key', 'documents.thumbnail'])
      .executeTakeFirst();
    const isPicture = row !== undefined && ['jpeg', 'png', 'webp'].includes(row.content);
    if (isPicture && row.size_bytes <= ONE_MAX_BYTES) {
      return picture(`image/${row.content}`, await wholeFile(storage, row.storage_key));
    }
    if (!row?.thumbnail) return null;
    return picture('image/webp', await wholeFile(storage, `documents/${subjectId}/thumbnail.webp`));
  }
  const [, missionId, name] = VIDEO_PICTURE.exec(thumbnailUrl ?? '') ?? [];
  if (missionId === undefined || name === undefined || missionId !== part.missionId) return null;
  return picture('image/jpeg', await wholeFile(storage, pictureKey(missionId, name)));
}

const picture = (type: string, bytes: Buffer | null): Picture | null => bytes && { type, bytes };
