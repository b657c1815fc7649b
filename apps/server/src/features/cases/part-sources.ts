import { type Actor, AppError, can, type NewCasePart, subjectOfPart } from '@osprey/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { lockRows } from '../../base/items/lock-rows.ts';
import { missionFacts } from '../../base/items/mission-facts.ts';
import { sensorsById, visibleSensors } from '../../base/items/sensors.ts';
import { type CaseDb, contentOf, idsByTable } from './contents.ts';

/** A part that is to be added: which rows it shows, and the label that it brings. */
export type PartSource = Pick<Selectable<Database['case_parts']>, 'kind' | 'title' | keyof typeof nothing>;
export type PartSources = readonly PartSource[];

const nothing = {
  ...{ subject_id: null, mission_id: null, start_time: null, end_time: null },
  ...{ text: null, remark: '', classification: 1 },
};

/**
 * Reads the sources of parts as the actor may read them, and locks them against changes of label until the end of the
 * transaction. Take the lock of the case after this one, since raising a label locks the source first and then the
 * cases that contain it.
 *
 * @throws AppError notFound if one of them is hidden or absent
 */
export async function sourcesOf(tx: CaseDb, actor: Actor, requested: readonly NewCasePart[]): Promise<PartSource[]> {
  await lockSources(tx, requested);
  const found: PartSource[] = [];
  for (const part of requested) found.push(await sourceOf(tx, actor, part));
  return found;
}

async function sourceOf(tx: CaseDb, actor: Actor, part: NewCasePart): Promise<PartSource> {
  if (part.kind === 'note') return { ...nothing, kind: 'note', title: part.title, text: part.text };
  const row = part.kind === 'track' ? await readTrack(tx.db, actor, part) : await readContent(tx, actor, part);
  if (row === undefined) throw new AppError('notFound');
  return { ...nothing, remark: part.remark, ...row };
}

type Of<Kind extends NewCasePart['kind']> = Extract<NewCasePart, { kind: Kind }>;

/** Reads the row of a part. If several kinds share a table, the row determines the kind. */
async function readContent({ db, contents }: CaseDb, actor: Actor, part: Exclude<NewCasePart, Of<'note' | 'track'>>) {
  const subject_id = subjectOfPart(part) ?? '';
  for (const provider of contents.filter(({ table }) => table === contentOf(contents, part.kind)?.table)) {
    const found = await provider.read(db, actor, subject_id);
    if (found === undefined) continue;
    const { title, missionId: mission_id, startTime: start_time, endTime: end_time, classification } = found;
    return { kind: provider.kind, subject_id, title, mission_id, start_time, end_time, classification };
  }
  return undefined;
}

async function readTrack(tx: Db, actor: Actor, { sensorId, startTime, endTime, title }: Of<'track'>) {
  if (endTime <= startTime) throw new AppError('invalid', { endTime: 'The end must come after the start' });
  const row = await visibleSensors(tx, actor)
    .where('sensors.id', '=', sensorId)
    .select(['sensors.id as subject_id', 'sensors.state', 'missions.id as mission_id', 'missions.classification'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { state, ...own } = row;
  // A mission in state Created is visible only to users who may upload to it.
  const mission = state === 'Created' ? await missionFacts(tx, own.mission_id, 'case') : null;
  if (state === 'Created' && !(mission && can(actor, 'mission.update', mission).allowed)) return undefined;
  return { ...own, kind: 'track' as const, start_time: startTime, end_time: endTime, title };
}

/** Locks the missions of all parts before any other rows, in the same order in which changes of missions lock them. */
async function lockSources({ db, contents }: CaseDb, requested: readonly NewCasePart[]): Promise<void> {
  const byTable = idsByTable(
    contents,
    requested.map((part) => ({ kind: part.kind, id: subjectOfPart(part) })),
  );
  const sensors = requested.flatMap((part) => (part.kind === 'track' ? part.sensorId : []));
  const missions = await missionsOfSensors(db, sensors);
  for (const { table, missionsOf } of contents) {
    const ids = byTable.get(table);
    if (ids !== undefined) missions.push(...(await missionsOf(db, ids)));
  }
  await lockRows(db, 'missions', missions);
  for (const [table, ids] of byTable) await lockRows(db, table, ids);
  await lockRows(db, 'sensors', sensors);
}

async function missionsOfSensors(tx: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await sensorsById(tx, 'case', ids);
  return rows.map(({ mission_id }) => mission_id);
}
