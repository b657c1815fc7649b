import type { Actor } from '@osprey/contract';
import { visibleDocuments } from '../../../base/items/visibility.ts';
import { overlaysKey } from '../../../base/storage/snapshot-overlays.ts';
import { pictureKey } from '../../../media/index/picture-files.ts';
import { type FrozenPart, isPacked } from './frozen.ts';
import { type PartFilesDeps, wholeFile } from './part-files.ts';
import { pictureTexts } from './texts.ts';

/** Pictures of a report together; what comes after them has none, so that browsers open it. */
const BUDGET_BYTES = 48 * 1024 * 1024;
const ONE_MAX_BYTES = 1024 * 1024;

export const pictureBudget = (): { left: number } => ({ left: BUDGET_BYTES });

const VIDEO_PICTURE = /^\/videos\/([0-9a-f-]{36})\/([0-9a-f-]{36}(?:-\d{1,6})?\.jpg)$/;

/** Small pictures of a part as data: URIs, with who made them; none where it has none. */
export async function partPictures(
  deps: PartFilesDeps,
  actor: Actor,
  part: FrozenPart,
  budget: { left: number },
): Promise<{ src: string; caption: string | null }[]> {
  if (!isPacked(part)) return [];
  const first = { found: await pictureOf(deps, actor, part), caption: part.picture && pictureTexts[part.picture] };
  const second = { found: await overlaysOf(deps, actor, part), caption: pictureTexts.overlays };
  return [first, second].flatMap(({ found, caption }) => {
    if (found === null || found.bytes.length > budget.left) return [];
    budget.left -= found.bytes.length;
    return { src: `data:${found.type};base64,${found.bytes.toString('base64')}`, caption };
  });
}

async function overlaysOf({ db, storage }: PartFilesDeps, actor: Actor, part: FrozenPart): Promise<Picture | null> {
  if (!part.overlays || part.subjectId === null) return null;
  const row = await visibleDocuments(db, actor)
    .innerJoin('snapshots', 'snapshots.document_id', 'documents.id')
    .where('documents.id', '=', part.subjectId)
    .select('snapshots.overlays_bytes')
    .executeTakeFirst();
  if ((row?.overlays_bytes ?? Number.POSITIVE_INFINITY) > ONE_MAX_BYTES) return null;
  return picture('image/jpeg', await wholeFile(storage, overlaysKey(part.subjectId)));
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
