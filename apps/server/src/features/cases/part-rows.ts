import type { Actor, CasePart } from '@osprey/contract';
import { classificationOf } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { ShownContent } from '../../base/items/content.ts';
import { sensorsById } from '../../base/items/sensors.ts';
import { visible } from '../../base/items/visibility.ts';
import { type CaseDb, contentOf } from './contents.ts';
import { isReadablePart } from './readable.ts';

/** Reads the parts of a case that the actor may read, in their order. */
function partRows({ db, contents }: CaseDb, actor: Actor, caseId: string) {
  return asSystem(db, 'case')
    .selectFrom('case_parts')
    .innerJoin('cases', 'cases.id', 'case_parts.case_id')
    .where('case_parts.case_id', '=', caseId)
    .where('case_parts.removed_time', 'is', null)
    .where('cases.deleted_time', 'is', null)
    .where(isReadablePart(contents, actor))
    .selectAll('case_parts')
    .select('cases.own_classification')
    .orderBy('case_parts.position')
    .orderBy('case_parts.id')
    .execute();
}

export type PartRow = Awaited<ReturnType<typeof partRows>>[number];

/** A sensor of a part. `indexKey` is null if no file of the sensor has been read. */
export type PartSensor = { id: string; name: string; indexKey: string | null; shiftUs: number };

/** Parts with their contents, and the missions and sensors of these. */
export type ShownParts = {
  parts: readonly { row: PartRow; shown: ShownContent | null }[];
  /**
   * Missions outside the bin that the actor may read. Some may be absent, since an annotation may be shared with people
   * who may not see its mission.
   */
  missions: ReadonlyMap<string, string>;
  sensors: ReadonlyMap<string, PartSensor>;
};

export async function shownParts(reading: CaseDb, actor: Actor, caseId: string): Promise<ShownParts> {
  const { db, contents } = reading;
  const rows = await partRows(reading, actor, caseId);
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  const found = await Promise.all(
    contents.map(async ({ kind, shown }) => {
      const ids = (byKind.get(kind) ?? []).flatMap(({ subject_id }) => subject_id ?? []);
      return ids.length === 0 ? [] : shown(db, ids);
    }),
  );
  const byId = new Map(found.flat().map((one) => [one.id, one]));
  const parts = rows.map((row) => ({
    row,
    shown: row.kind === 'track' ? trackOf(row) : (byId.get(row.subject_id ?? '') ?? null),
  }));
  const [missions, sensors] = await Promise.all([
    missionsOf(db, actor, [...new Set(parts.flatMap((part) => missionOf(part) ?? []))]),
    sensorsOf(db, [...new Set(parts.flatMap(({ shown }) => shown?.sensors.flatMap(({ id }) => id ?? []) ?? []))]),
  ]);
  return { parts, missions, sensors };
}

/** Returns a track in the form of a content: a sensor during the part's own time span. */
function trackOf({ subject_id: id, title, mission_id, start_time, end_time }: PartRow): ShownContent | null {
  if (id === null) return null;
  const [startUs, endUs] = [start_time ?? 0, end_time ?? start_time ?? 0];
  return {
    ...{ id, title, deletedTime: null, missionId: mission_id, sensors: [{ id, name: null }] },
    ...{ places: [], thumbnailUrl: null, picture: null, overlays: false, frames: [] },
    times: () => ({ startTime: start_time, endTime: end_time, spans: [{ sensorId: id, startUs, endUs }] }),
  };
}

const missionOf = ({ row, shown }: ShownParts['parts'][number]): string | null =>
  row.mission_id ?? shown?.missionId ?? null;

async function missionsOf(db: Db, actor: Actor, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await visible(db, actor)
    .where('missions.id', 'in', [...ids])
    .select(['missions.id', 'missions.name'])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function sensorsOf(db: Db, ids: readonly string[]): Promise<Map<string, PartSensor>> {
  if (ids.length === 0) return new Map();
  const rows = await sensorsById(db, 'case', ids);
  return new Map(
    rows.map(({ id, name, index_key, time_shift }) => [id, { id, name, indexKey: index_key, shiftUs: time_shift }]),
  );
}

export type PartDetails = Pick<CasePart, 'startTime' | 'endTime' | 'extent' | 'thumbnailUrl'>;
type OnePart = ShownParts['parts'][number];

export function stateOf(
  { row, shown }: OnePart,
  { contents, missions }: Pick<CaseDb, 'contents'> & Pick<ShownParts, 'missions'>,
): CasePart['state'] {
  if (row.kind === 'note') return 'shown';
  if (shown === null) return 'gone';
  // Readers of a mission's contents can also read the mission, so a mission that is absent here is in the bin.
  const isOfMission = (contentOf(contents, row.kind)?.item ?? 'mission') === 'mission';
  const inBin = shown.deletedTime !== null || (isOfMission && !missions.has(row.mission_id ?? ''));
  return inBin ? 'inBin' : 'shown';
}

/**
 * Converts a part to the contract's shape. For sources in the bin and deleted ones, only title and times are included.
 */
export function toPart(
  part: OnePart,
  state: CasePart['state'],
  { missions, sensors, ...details }: Pick<ShownParts, 'missions' | 'sensors'> & PartDetails,
): CasePart {
  const { row, shown } = part;
  const isShown = state === 'shown';
  const missionId = missionOf(part);
  const missionName = (isShown && missionId && missions.get(missionId)) || null;
  return {
    _id: row.id,
    kind: row.kind,
    subjectId: shown?.id ?? null,
    title: shown?.title ?? row.title,
    remark: row.remark,
    text: row.text,
    missionId: missionName === null ? null : missionId,
    missionName,
    ...(missionName === null || shown === null
      ? { sensorId: null, sensorName: null }
      : sensorOf(shown.sensors, sensors)),
    ...details,
    // A note has the label at which it was written, which is at most that of the case.
    securityClassification: classificationOf(row.kind === 'note' ? row.own_classification : row.classification),
    picture: (isShown && shown?.picture) || null,
    overlays: (isShown && shown?.overlays) || false,
    state,
    author: row.author,
    added: row.added,
    revision: row.revision,
  };
}

/** Returns the sensor of a part. If a part shows several sensors, all names are given and no id. */
function sensorOf(
  own: ShownContent['sensors'],
  sensors: ShownParts['sensors'],
): Pick<CasePart, 'sensorId' | 'sensorName'> {
  const names = own.flatMap(({ id, name }) => (id && sensors.get(id)?.name) ?? name ?? []);
  return {
    sensorId: own.length === 1 ? (own[0]?.id ?? null) : null,
    sensorName: names.length === 0 ? null : names.join(', '),
  };
}
