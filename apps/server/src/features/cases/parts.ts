import type { Actor, CasePart } from '@osprey/contract';
import type { Box } from '../../base/items/content.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type PictureList, pictureName, readPictureList } from '../../media/index/picture-files.ts';
import type { CaseDb } from './contents.ts';
import { extentOf } from './extents.ts';
import { type PartSensor, shownParts, stateOf, toPart } from './part-rows.ts';
import { partTimes, type TimesOf } from './part-times.ts';
import type { SpanExtents } from './span-extents.ts';

export type CaseParts = ReturnType<typeof caseParts>;

export type CasePartsDeps = CaseDb & { storage: Storage; times: TimesOf; extentOfSpan: SpanExtents };

/** A sensor during the time span of a part. */
type Filmed = PartSensor & { startUs: number; endUs: number };

/**
 * Reads the parts of a case, in their order, for an actor who may read the case. Only parts that the actor may read are
 * included.
 */
export function caseParts({ db, contents, storage, times, extentOfSpan }: CasePartsDeps) {
  return async function ofCase(actor: Actor, caseId: string): Promise<CasePart[]> {
    const { parts, missions, sensors } = await shownParts({ db, contents }, actor, caseId);
    const timed = await partTimes(times, parts);
    const pictureAt = partPictures(storage);
    const answered: CasePart[] = [];
    for (const [at, part] of parts.entries()) {
      const { startTime, endTime, spans } = timed[at]!;
      const filmed = spans.flatMap(({ sensorId, ...span }): Filmed[] => {
        const sensor = sensors.get(sensorId);
        return sensor === undefined ? [] : [{ ...sensor, ...span }];
      });
      const state = stateOf(part, { contents, missions });
      const shown = state === 'shown' ? part.shown : null;
      const extent = shown && (extentOf(shown.places) ?? (await extentOfAll(filmed)));
      const thumbnailUrl = shown && (shown.thumbnailUrl ?? (await pictureAt(part.row.mission_id, filmed[0])));
      answered.push(toPart(part, state, { missions, sensors, startTime, endTime, extent, thumbnailUrl }));
    }
    return answered;
  };

  async function extentOfAll(filmed: readonly Filmed[]): Promise<Box | null> {
    const found: Box[] = [];
    for (const { indexKey, shiftUs, startUs, endUs } of filmed) {
      const extent = indexKey === null ? null : await extentOfSpan({ indexKey, shiftUs, startUs, endUs });
      if (extent !== null) found.push(extent);
    }
    return extentOf(found);
  }
}

type PictureAt = (missionId: string | null, filmed: Filmed | undefined) => Promise<string | null>;

/**
 * Returns the path of the last picture along a sensor at or before the start, or of the first picture if there is no
 * earlier one; null if there is none.
 */
function partPictures(storage: Storage): PictureAt {
  const lists = new Map<string, Promise<PictureList>>();

  return async (missionId, filmed) => {
    if (missionId === null || filmed === undefined) return null;
    const { id: sensorId, shiftUs, startUs } = filmed;
    const list = lists.get(sensorId) ?? readPictureList(storage, missionId, sensorId);
    lists.set(sensorId, list);
    const { pictures } = await list;
    const found = pictures.findLast(({ timeUs }) => timeUs <= startUs - shiftUs) ?? pictures[0];
    return found === undefined ? null : `/videos/${missionId}/${pictureName(sensorId, found.n)}`;
  };
}
