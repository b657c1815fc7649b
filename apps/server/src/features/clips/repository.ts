import {
  type Actor,
  AppError,
  access,
  CLIPS_MAX,
  type Clip,
  type createClip,
  type FrameAnchor,
  type updateClip,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import type { Database } from '../../base/db/schema.ts';
import { refuseOnHold } from '../../base/items/case-hold.ts';
import { missionFacts } from '../../base/items/mission-facts.ts';
import { sensorColumns } from '../../base/items/sensors.ts';
import { visible } from '../../base/items/visibility.ts';
import { utcOf } from '../../media/anchors/anchor.ts';
import { type AskedSpan, type Piece, type PlanDeps, type PlannedSensor, planCuts } from './plan.ts';
import {
  anchorOf,
  type ClippedMission,
  type ClipRow,
  type CutRow,
  factsOfClip,
  type PlacedCut,
  toClip,
} from './rows.ts';

export type ClipRepository = ReturnType<typeof clipRepository>;

type Words = Pick<z.output<typeof createClip.input>['body'], 'title' | 'note' | 'tags'>;
type ChangedWords = z.output<typeof updateClip.input>['body'];

/** A clip with its current cuts, and its mission. */
export type ClipRecipe = { clip: Clip; mission: ClippedMission };

/**
 * Time added to the last tick of a cut to get the moment after it, in microseconds. A tick is 11.1 µs, and times are
 * rounded up.
 */
export const TICK_US = 12;

/** All reading and changing of clips by an actor. */
export function clipRepository({ plan, nowUs }: { plan: PlanDeps & { db: Kysely<Database> }; nowUs: () => number }) {
  const { db } = plan;

  /** Clips of a mission that the actor may read, by time. */
  async function ofMission(actor: Actor, mission: ClippedMission): Promise<Clip[]> {
    const rows = await visible(db, actor)
      .innerJoin('clips', 'clips.mission_id', 'missions.id')
      .where('missions.id', '=', mission.id)
      .selectAll('clips')
      .execute();
    const clips = await answersFor(actor, mission, rows);
    return clips.sort((a, b) => a.startTime - b.startTime || (a._id < b._id ? -1 : 1));
  }

  /** @throws AppError notFound */
  async function one(actor: Actor, id: string): Promise<ClipRecipe> {
    const row = await visible(db, actor)
      .innerJoin('clips', 'clips.mission_id', 'missions.id')
      .where('clips.id', '=', id)
      .selectAll('clips')
      .executeTakeFirst();
    if (row === undefined) throw new AppError('notFound');
    const mission = await factsOfMission(db, row.mission_id);
    authorize(actor, 'clip.read', factsOfClip(mission, row));
    const [clip] = await answersFor(actor, mission, [row]);
    return { clip: clip!, mission };
  }

  async function answersFor(actor: Actor, mission: ClippedMission, rows: readonly ClipRow[]): Promise<Clip[]> {
    if (rows.length === 0) return [];
    const cuts = await asSystem(db, 'media')
      .selectFrom('clip_cuts')
      .where(
        'clip_id',
        'in',
        rows.map(({ id }) => id),
      )
      .selectAll('clip_cuts')
      .select(sensorColumns('clip_cuts.sensor_id'))
      .orderBy('position')
      .execute();
    const placed = await Promise.all(cuts.map(place));
    const byClip = Map.groupBy(placed, ({ clip_id }) => clip_id);
    return rows.map((row) =>
      toClip(
        row,
        byClip.get(row.id) ?? [],
        mission,
        access.can(actor, 'clip.update', factsOfClip(mission, row)).allowed,
      ),
    );
  }

  /** Times derive from the frames at each reading; the row keeps them for when the frames are gone. */
  async function place(row: CutRow): Promise<PlacedCut> {
    const { sensor_id, index_key, time_shift } = row;
    if (sensor_id === null) return { ...row, state: 'gone' };
    const sensor = { id: sensor_id, indexKey: index_key, shiftUs: time_shift ?? 0 };
    const anchored = anchorOf(row, 'in') === null && index_key !== null ? await withAnchors(row, sensor) : row;
    const [first, last] = [anchorOf(anchored, 'in'), anchorOf(anchored, 'out')];
    if (first === null || last === null) return { ...anchored, state: index_key === null ? 'waiting' : 'gone' };
    const index = await plan.indexes.read(index_key);
    const inUs = index && utcOf(index, sensor.shiftUs, first);
    const outUs = index && utcOf(index, sensor.shiftUs, last);
    if (inUs === null || outUs === null) return { ...anchored, state: 'gone' };
    const times = { in_time: inUs, out_time: outUs + TICK_US };
    const isSame = times.in_time === row.in_time && times.out_time === row.out_time;
    if (!isSame) await keep(row, times);
    return { ...anchored, ...times, state: 'shown' };
  }

  /** Adds the frames to a clip that was saved during the recording, when they were not known yet. */
  async function withAnchors(row: CutRow, sensor: PlannedSensor): Promise<CutRow> {
    const pieces = await planCuts(plan, sensor, [row.in_time, row.out_time]);
    const ends = endsOf(pieces);
    if (ends === null) return row;
    await keep(row, ends);
    return { ...row, ...ends };
  }

  async function keep({ clip_id, position }: CutRow, fields: Partial<Omit<CutRow, 'clip_id' | 'position'>>) {
    await asSystem(db, 'media')
      .updateTable('clip_cuts')
      .set(fields)
      .where('clip_id', '=', clip_id)
      .where('position', '=', position)
      .execute();
  }

  /** @throws AppError forbidden; ruleRefused where a sensor recorded nothing then */
  async function create(
    actor: Actor,
    mission: ClippedMission,
    { sensors, span, words }: { sensors: readonly (PlannedSensor & { name: string })[]; span: AskedSpan; words: Words },
  ): Promise<string> {
    authorize(actor, 'clip.create', factsOfClip(mission));
    const cuts: Omit<CutRow, 'clip_id' | 'position' | 'sensor_name' | 'index_key' | 'time_shift'>[] = [];
    for (const sensor of sensors) {
      const pieces = await planCuts(plan, sensor, span);
      if (pieces.length === 0) {
        throw new AppError('ruleRefused', { reason: `Sensor ${sensor.name} recorded nothing between In and Out.` });
      }
      const ends = endsOf(pieces) ?? noEnds;
      cuts.push({ sensor_id: sensor.id, ...ends, ...timesOf(pieces) });
    }
    return db.transaction().execute(async (tx) => {
      const { count } = await asSystem(tx, 'authorized change')
        .selectFrom('clips')
        .where('mission_id', '=', mission.id)
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow();
      if (count >= CLIPS_MAX) {
        const reason = `The mission has ${CLIPS_MAX} clips, which is the most. Delete some first.`;
        throw new AppError('ruleRefused', { reason });
      }
      const by = { author_id: actor.id, author: actor.username, editor: actor.username };
      const { id } = await tx
        .insertInto('clips')
        .values({ mission_id: mission.id, ...words, ...by, created: nowUs() })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('clip_cuts')
        .values(cuts.map((cut, position) => ({ ...cut, clip_id: id, position })))
        .execute();
      return id;
    });
  }

  /** Changes a clip's texts and returns its mission. @throws AppError notFound, forbidden, revisionConflict */
  async function update(actor: Actor, id: string, { revision, ...words }: ChangedWords): Promise<ClippedMission> {
    return db.transaction().execute(async (tx) => {
      const [row] = await lockedRows(tx, actor, [id]);
      if (row === undefined) throw new AppError('notFound');
      const mission = await factsOfMission(tx, row.mission_id);
      authorize(actor, 'clip.update', factsOfClip(mission, row));
      if (revision !== row.revision) throw new AppError('revisionConflict');
      const given = Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));
      await asSystem(tx, 'authorized change')
        .updateTable('clips')
        .set({ ...given, editor: actor.username, revision: sql`revision + 1` })
        .where('id', '=', id)
        .execute();
      return mission;
    });
  }

  /** Deletes clips, all or none. There is no bin, since the recordings remain. @throws AppError notFound, forbidden */
  async function remove(actor: Actor, ids: readonly string[]) {
    const requested = [...new Set(ids)];
    return db.transaction().execute(async (tx) => {
      const rows = await lockedRows(tx, actor, requested);
      if (rows.length < requested.length) throw new AppError('notFound');
      const missions: { facts: ClippedMission; ids: string[] }[] = [];
      for (const [missionId, own] of Map.groupBy(rows, ({ mission_id }) => mission_id)) {
        const facts = await factsOfMission(tx, missionId);
        for (const row of own) authorize(actor, 'clip.delete', factsOfClip(facts, row));
        missions.push({ facts, ids: own.map(({ id }) => id) });
      }
      await refuseOnHold(
        tx,
        actor,
        'subject_id',
        rows.map(({ id, title: name }) => ({ id, name })),
      );
      await asSystem(tx, 'authorized change').deleteFrom('clips').where('id', 'in', requested).execute();
      return { missions, titles: rows.map(({ title }) => title) };
    });
  }

  return { ofMission, one, create, update, remove };
}

const noEnds = { in_file: null, in_run: null, in_pts: null, out_file: null, out_run: null, out_pts: null };

/** Returns the first requested frame and the last tick; null while the recording is running. */
function endsOf(pieces: readonly Piece[]): EndColumns | null {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last || first.keyPts === null || last.keyPts === null) return null;
  const start: FrameAnchor = { fileId: first.fileId, run: first.run, pts: first.keyPts + first.askedTicks };
  const end: FrameAnchor = { fileId: last.fileId, run: last.run, pts: last.keyPts + last.lengthTicks - 1 };
  return {
    ...{ in_file: start.fileId, in_run: start.run, in_pts: start.pts },
    ...{ out_file: end.fileId, out_run: end.run, out_pts: end.pts },
  };
}

type EndColumns = {
  in_file: string;
  in_run: number;
  in_pts: number;
  out_file: string;
  out_run: number;
  out_pts: number;
};

function timesOf(pieces: readonly Piece[]): { in_time: number; out_time: number } {
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  return { in_time: first.utcOf(first.askedTicks), out_time: last.utcOf(last.lengthTicks) };
}

async function factsOfMission(tx: Db, missionId: string) {
  const facts = await missionFacts(tx, missionId, 'authorized change');
  if (facts === null) throw new AppError('notFound');
  return facts;
}

/** Clips of missions that the actor may read. */
const lockedRows = (tx: Db, actor: Actor, ids: readonly string[]) =>
  visible(tx, actor)
    .innerJoin('clips', 'clips.mission_id', 'missions.id')
    .where('clips.id', 'in', [...ids])
    .select(['clips.id', 'mission_id', 'title', 'clips.author_id', 'clips.revision'])
    .forUpdate('clips')
    .execute();
