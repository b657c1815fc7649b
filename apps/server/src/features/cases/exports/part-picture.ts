import type { Actor } from '@osprey/contract';
import type { ContentPicture } from '../../../base/items/content.ts';
import { pictureTexts } from '../../../base/items/content-files.ts';
import { fileBytes } from '../../../base/storage/file-bytes.ts';
import { pictureKey } from '../../../media/index/picture-files.ts';
import { contentOf } from '../contents.ts';
import { type FrozenPart, isPacked } from './frozen.ts';
import type { PartFilesDeps } from './part-files.ts';

/**
 * Maximum total size of the pictures in a report, in bytes, so that browsers can open it. Parts beyond the limit have
 * no pictures.
 */
const BUDGET_BYTES = 48 * 1024 * 1024;

type Pictures = { own: ContentPicture | null; overlays: ContentPicture | null };
const NONE: Pictures = { own: null, overlays: null };

export const pictureBudget = (): { left: number } => ({ left: BUDGET_BYTES });

const VIDEO_PICTURE = /^\/videos\/([0-9a-f-]{36})\/([0-9a-f-]{36}(?:-\d{1,6})?\.jpg)$/;

/** Returns small pictures of a part as data: URIs with their origin; empty if it has none. */
export async function partPictures(
  deps: PartFilesDeps,
  actor: Actor,
  part: FrozenPart,
  budget: { left: number },
): Promise<{ src: string; caption: string | null }[]> {
  if (!isPacked(part)) return [];
  const { own, overlays } = await picturesOf(deps, actor, part);
  const first = { found: own, caption: part.picture && pictureTexts[part.picture] };
  const second = { found: part.overlays ? overlays : null, caption: pictureTexts.overlays };
  return [first, second].flatMap(({ found, caption }) => {
    if (found === null || found.bytes.length > budget.left) return [];
    budget.left -= found.bytes.length;
    return { src: `data:${found.type};base64,${found.bytes.toString('base64')}`, caption };
  });
}

/** Pictures of its content, or one along the recording. */
async function picturesOf({ contents, storage }: PartFilesDeps, actor: Actor, part: FrozenPart): Promise<Pictures> {
  const { kind, subjectId, thumbnailUrl } = part;
  const own = contentOf(contents, kind)?.pictures;
  if (own !== undefined) return subjectId === null ? NONE : own(actor, subjectId);
  const [, missionId, name] = VIDEO_PICTURE.exec(thumbnailUrl ?? '') ?? [];
  if (missionId === undefined || name === undefined || missionId !== part.missionId) return NONE;
  const bytes = await fileBytes(storage, pictureKey(missionId, name));
  return { ...NONE, own: bytes && { type: 'image/jpeg', bytes } };
}
