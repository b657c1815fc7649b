import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ItemName } from '@osprey/contract';
import { simulateToFile } from '../../../../tools/simulator/src/index.ts';
import type { SensorIndex } from '../../src/media/index/sensor-index.ts';
import { sheetKey, sheetListKey } from '../../src/media/index/sheet-files.ts';
import { addAnnotation } from '../annotations.ts';
import { addAnyItem } from '../any-item.ts';
import { addCase, addNote } from '../cases.ts';
import { atEnd } from '../cleanup.ts';
import { addDocument } from '../documents.ts';
import { addFile, addMission, addSensor } from '../missions.ts';
import { addPlatform, sensorsOf } from '../platforms.ts';
import type { RecordingServer } from '../recordings.ts';
import { type Subject, subjectNames } from '../server.ts';

/** Audience of an item. */
export const relations = ['everyone', 'nobody', 'Demo', 'G1', 'G2', 'G1 and G2'] as const;
export const labels = [1, 2, 3, 4, 5] as const;
export type Relation = (typeof relations)[number];
export type Cell = { label: (typeof labels)[number]; relation: Relation };
export type Mission = Cell & {
  id: string;
  name: string;
  sensor: string;
  file: string;
  sheet: string;
  job: string;
  bookmark: string;
  clip: string;
};
export type Document = Cell & { id: string };
export type Annotation = Cell & { id: string };
/** `part` is a note, `nextOwner` somebody who may read it. */
export type Case = Cell & { id: string; part: string; nextOwner: string };
export type AnyItem = Cell & { id: string };
export type Platform = Cell & { id: string; name: string; sensor: string };

export const cells: readonly Cell[] = labels.flatMap((label) => relations.map((relation) => ({ label, relation })));

export const clearance: Record<Subject, number> = { SA: 5, A2: 2, GA: 3, U1: 3, U2: 5, U0: 1, guest: 1 };
type Group = 'Demo' | 'G1' | 'G2';
const memberOf: Record<Subject, readonly Group[]> = {
  SA: ['Demo'],
  A2: ['Demo', 'G1'],
  GA: ['Demo', 'G1'],
  U1: ['Demo', 'G1'],
  U2: ['Demo', 'G2'],
  U0: ['Demo'],
  guest: ['Demo'],
};
const ceiling: Record<Group, number> = { Demo: 1, G1: 3, G2: 5 };
const groupsOf = (relation: Relation): Group[] =>
  relation === 'everyone' || relation === 'nobody' ? [] : (relation.split(' and ') as Group[]);

/** The read decision of the rights document, written down a second time: `can()` and its SQL are what is tested. */
export function mayRead(who: Subject, { label, relation }: Cell): boolean {
  if (clearance[who] < label) return false;
  if (who === 'SA') return true;
  if (relation === 'everyone') return who !== 'guest';
  return groupsOf(relation).some((group) => memberOf[who].includes(group) && ceiling[group] >= label);
}

export const admins: readonly Subject[] = ['SA', 'A2'];
export const accounts: readonly Subject[] = subjectNames.filter((name) => name !== 'guest');
export const isAdmin = (who: Subject): boolean => admins.includes(who);
/** GA administers G1, and manages items of G1 alone. */
export const mayManage = (who: Subject, { relation }: Cell): boolean =>
  isAdmin(who) || (who === 'GA' && relation === 'G1');

/** Makes items of each label and audience on a server; each mission plays a recording of a second. */
export async function itemMaker(server: RecordingServer) {
  const { db, groups, dependencies } = server;
  const { storage } = dependencies;
  const source = await recorded(server);
  // All live modes, so that rights alone decide.
  await db
    .updateTable('usergroups')
    .set({ live_modes: ['Preview', 'WebRtc'] })
    .execute();

  const linksOf = (relation: Relation) => groupsOf(relation).map((group) => groups[group]);
  const fieldsOf = ({ label, relation }: Cell) => {
    const audience: 'everyone' | 'groups' = relation === 'everyone' ? 'everyone' : 'groups';
    return { classification: label, audience, tags: [tagOf({ label, relation })] };
  };

  async function mission(cell: Cell, fields: { deleted_time?: number; deleted_by?: string } = {}): Promise<Mission> {
    const name = `flight-${crypto.randomUUID()}`;
    const id = await addMission(db, { ...fieldsOf(cell), name, state: 'Ready', ...fields });
    const links = linksOf(cell.relation).map((usergroup_id) => ({ mission_id: id, usergroup_id }));
    if (links.length > 0) await db.insertInto('mission_usergroups').values(links).execute();
    const { index_key: _, ...columns } = source.sensor;
    const sensor = await addSensor(db, id, { ...columns, state: 'Ready' });
    const key = `originals/${sensor}/a.ts`;
    await storage.put(key, [source.bytes]);
    const file = await addFile(db, sensor, { storage_key: key, size_bytes: source.bytes.length, state: 'ready' });
    const index_key = `indexes/${sensor}/sensor-${crypto.randomUUID()}.json`;
    await storage.put(index_key, [Buffer.from(JSON.stringify(indexFor(file, key)))]);
    await db.updateTable('sensors').set({ index_key }).where('id', '=', sensor).execute();
    await storage.put(`pictures/${id}/${sensor}.jpg`, [Buffer.from('picture')]);
    const sheet = crypto.randomUUID();
    await storage.put(sheetKey(id, sensor, sheet), [Buffer.from('picture')]);
    const sheets = { indexKey: index_key, sheets: [{ id: sheet, height: 54, timesUs: [0], of: [0] }] };
    await storage.put(sheetListKey(id, sensor), [Buffer.from(JSON.stringify(sheets))]);
    const times = { created: 0, heartbeat: null, error: null };
    const job = await db
      .insertInto('jobs')
      .values({ kind: 'ingest', state: 'failed', mission_id: id, sensor_id: sensor, file_id: null, ...times })
      .returning('id')
      .executeTakeFirstOrThrow();
    const bookmark = await bookmarkOf(id, sensor);
    const clip = await clipOf(id, sensor);
    return { ...cell, id, name, sensor, file, sheet, job: job.id, bookmark, clip };
  }

  /** Its author is the superAdmin too. */
  async function clipOf(mission_id: string, sensor_id: string): Promise<string> {
    const by = { author_id: server.userId('SA'), author: 'SA', editor: 'SA' };
    const { id } = await db
      .insertInto('clips')
      .values({ mission_id, ...by, title: 'c', note: '', tags: [], created: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('clip_cuts')
      .values({ clip_id: id, position: 0, sensor_id, in_time: 0, out_time: 1, ...noEnds })
      .execute();
    return id;
  }

  /** Its author is the superAdmin, who may change each mission anyway. */
  async function bookmarkOf(mission_id: string, sensor_id: string): Promise<string> {
    const author = { author_id: server.userId('SA'), author: 'SA', editor: 'SA' };
    const place = { file_id: null, run: null, pts: null, last_time: 0, thumbnail: null };
    const row = await db
      .insertInto('bookmarks')
      .values({
        mission_id,
        sensor_id,
        ...author,
        ...place,
        title: 'b',
        text: '',
        color: '#e8b54a',
        tags: [],
        created: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  }

  /** As if the file had been read in the place of the recorded one. */
  function indexFor(fileId: string, storageKey: string): SensorIndex {
    const files = source.index.files.map((one) => ({
      ...one,
      fileId,
      media: one.media && { ...one.media, storageKey },
    }));
    return { ...source.index, files };
  }

  async function document(cell: Cell, fields: { deleted_time?: number; deleted_by?: string } = {}): Promise<Document> {
    const id = await addDocument(db, { ...fieldsOf(cell), thumbnail: true, ...fields }, linksOf(cell.relation));
    await storage.put(`documents/${id}/original`, [Buffer.from('hello')]);
    await storage.put(`documents/${id}/thumbnail.webp`, [Buffer.from('picture')]);
    return { ...cell, id };
  }

  async function platform(cell: Cell): Promise<Platform> {
    const { classification, audience } = fieldsOf(cell);
    const name = `platform-${crypto.randomUUID()}`;
    const id = await addPlatform(db, { name, classification, audience, usergroups: linksOf(cell.relation) });
    return { ...cell, id, name, sensor: (await sensorsOf(db, id)).EO! };
  }

  async function annotation(
    cell: Cell,
    fields: { deleted_time?: number; deleted_by?: string } = {},
  ): Promise<Annotation> {
    return { ...cell, id: await addAnnotation(db, { ...fieldsOf(cell), ...fields }, linksOf(cell.relation)) };
  }

  /** Its author is none of the subjects. */
  async function caseOf(cell: Cell, fields: { deleted_time?: number; deleted_by?: string } = {}): Promise<Case> {
    const { classification, audience } = fieldsOf(cell);
    const id = await addCase(db, { classification, audience, ...fields }, linksOf(cell.relation));
    return { ...cell, id, part: await addNote(db, id), nextOwner: server.userId('SA') };
  }

  /** An item that has nothing but its row, without an author. */
  async function any(item: ItemName, cell: Cell): Promise<AnyItem> {
    const { classification, audience } = fieldsOf(cell);
    return { ...cell, id: await addAnyItem(db, item, { classification, audience }, linksOf(cell.relation)) };
  }

  return { mission, document, platform, annotation, any, case: caseOf };
}

export const tagOf = ({ label, relation }: Cell): string => `tag-${label}-${relation.replaceAll(' ', '-')}`;

async function recorded(server: RecordingServer) {
  const folder = mkdtempSync(join(tmpdir(), 'osprey-matrix-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'second.ts');
  await simulateToFile({ width: 320, height: 240, fps: 10, seconds: 1, ships: 1 }, path);
  const { mission } = await server.record({ name: 'recording' }, [{ path }]);
  const row = await server.db
    .selectFrom('sensors')
    .innerJoin('files', 'files.sensor_id', 'sensors.id')
    .select(['index_key', 'sensors.start_time', 'sensors.end_time', 'time_source', 'video', 'duration_seconds'])
    .select('files.storage_key')
    .where('mission_id', '=', mission._id)
    .executeTakeFirstOrThrow();
  const { storage_key, ...sensor } = row;
  const read = async (key: string) => {
    const parts: Buffer[] = [];
    for await (const part of server.dependencies.storage.read(key)) parts.push(part as Buffer);
    return Buffer.concat(parts);
  };
  const index = JSON.parse((await read(sensor.index_key!)).toString()) as SensorIndex;
  const video = JSON.stringify(sensor.video);
  await server.db.deleteFrom('missions').where('id', '=', mission._id).execute();
  return { sensor: { ...sensor, video }, index, bytes: await read(storage_key) };
}

const noEnds = { in_file: null, in_run: null, in_pts: null, out_file: null, out_run: null, out_pts: null };
