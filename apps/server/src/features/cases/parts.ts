import type { Actor, CasePart } from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type PictureList, pictureName, readPictureList } from '../../media/index/picture-files.ts';
import { type Filmed, type PartRow, shownParts, stateOf, toPart } from './part-rows.ts';
import { partTimes, type TimesOf } from './part-times.ts';
import { type Extent, extentOf, shapeExtents } from './shape-extents.ts';
import type { SpanExtents } from './span-extents.ts';

export type CaseParts = ReturnType<typeof caseParts>;

export type CasePartsDeps = { db: Db; storage: Storage; times: TimesOf; extentOfSpan: SpanExtents };

/** Reads the parts of a case for an actor who may read the case: those that they may read, in the order of the case. */
export function caseParts({ db, storage, times, extentOfSpan }: CasePartsDeps) {
  return async function ofCase(actor: Actor, caseId: string): Promise<CasePart[]> {
    const rows = await shownParts(db, actor, caseId);
    const timed = await partTimes({ db, times }, rows);
    const shapes = await shapeExtents(db, {
      documents: rows.flatMap(({ document_id }) => document_id ?? []),
      annotations: rows.flatMap(({ annotation_id }) => annotation_id ?? []),
    });
    const pictureAt = partPictures(storage);
    const parts: CasePart[] = [];
    for (const [at, row] of rows.entries()) {
      const { times: own, filmed } = timed[at]!;
      const isShown = stateOf(row) === 'shown';
      const shape = shapes.get(row.document_id ?? row.annotation_id ?? '');
      parts.push(
        toPart(row, {
          ...own,
          filmed,
          extent: isShown ? (shape ?? (await extentOfAll(filmed))) : null,
          thumbnailUrl: isShown ? await thumbnailOf(row, filmed, pictureAt) : null,
        }),
      );
    }
    return parts;
  };

  async function extentOfAll(filmed: readonly Filmed[]): Promise<Extent | null> {
    const found: Extent[] = [];
    for (const { indexKey, ...span } of filmed) {
      const extent = indexKey === null ? null : await extentOfSpan({ ...span, indexKey });
      if (extent !== null) found.push(extent);
    }
    return extentOf(found);
  }
}

/** Path of its picture below the server's own address. */
async function thumbnailOf(row: PartRow, filmed: readonly Filmed[], pictureAt: PictureAt): Promise<string | null> {
  if (row.document_id !== null) return row.document_thumbnail ? `/documents/${row.document_id}.webp` : null;
  if (row.mission === null || row.annotation_id !== null) return null;
  if (row.bookmark_thumbnail !== null) return `/videos/${row.mission}/${row.bookmark_thumbnail}`;
  const [first] = filmed;
  return first === undefined ? null : pictureAt(row.mission, first);
}

type PictureAt = (missionId: string, filmed: Filmed) => Promise<string | null>;

/** Paths of the last picture along a sensor at or before the start, of the first of all before that; null without any. */
function partPictures(storage: Storage): PictureAt {
  const lists = new Map<string, Promise<PictureList>>();

  return async (missionId, { sensorId, shiftUs, startUs }) => {
    const list = lists.get(sensorId) ?? readPictureList(storage, missionId, sensorId);
    lists.set(sensorId, list);
    const { pictures } = await list;
    const found = pictures.findLast(({ timeUs }) => timeUs <= startUs - shiftUs) ?? pictures[0];
    return found === undefined ? null : `/videos/${missionId}/${pictureName(sensorId, found.n)}`;
  };
}
