import {
  type AccessFacts,
  type Actor,
  type AnnotationFeature,
  AppError,
  type ChangedAnnotation,
  type Classification,
  classificationRank,
  isAdmin,
  isAnnotationSpan,
  type LockableFacts,
  type NewAnnotation,
} from '@osprey/contract';
import { outlineFault } from '@osprey/geo';
import { type Kysely, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import { knowsGroup } from '../../base/access/known-groups.ts';
import { compareSharing, needReason, refuseSharing, requestedFacts } from '../../base/access/sharing.ts';
import type { Database } from '../../base/db/schema.ts';
import { refuseOnHold } from '../../base/items/case-hold.ts';
import { isMissionInBin } from '../../base/items/missions.ts';
import { shareOnlyWith, shareWith } from '../../base/items/shared-with.ts';
import { annotationsInBin, visibleAnnotations } from '../../base/items/visibility.ts';
import type { StoredFrame } from '../../media/anchors/frame-places.ts';
import { asDrawn } from './drawn-areas.ts';
import { floorOf, refuseBelowFloor } from './floor.ts';
import { verticesIn } from './levels.ts';
import { readAnnotation } from './repository.ts';
import { type AnnotationFacts, factsOfAnnotation, type StoredAnnotation, selectAnnotation } from './rows.ts';
import { writeParts } from './write.ts';

export type AnnotationChanges = ReturnType<typeof annotationChanges>;

/** Change of an annotation's rights by an update, for the audit. */
export type Changed = { before: AnnotationFacts; after: AnnotationFacts; reason: string | null };

/** Additional fields of annotations imported from an archive. */
export type CreateOptions = {
  /** Id chosen in advance, so that an import resumed after a crash finds what it has already created. */
  id?: string;
  /** Author and time; by default the actor and the current time. */
  made?: { author_id: string | null; author: string; creation_time: number };
  /** Allows an audience of no usergroup, which hides the annotation from its maker too. */
  mayHide?: boolean;
  /** The frame that it was drawn on. */
  frame?: StoredFrame | null;
};

export type AnnotationChangesDeps = {
  db: Kysely<Database>;
  nowUs: () => number;
  /** The highest label that this installation may hold; unmarked items are treated as having it. */
  systemHigh: Classification;
};

/** All changes of annotations by an actor. Each function checks the rights in the same transaction that writes. */
export function annotationChanges({ db, nowUs, systemHigh }: AnnotationChangesDeps) {
  /**
   * Creates an annotation and returns its id. @throws AppError invalid, forbidden, notFound of the mission, and the
   * refusals of sharing
   */
  async function create(actor: Actor, requested: NewAnnotation, options: CreateOptions = {}): Promise<string> {
    checkSpan(requested);
    const features = checkedAreas(requested.features);
    return db.transaction().execute(async (tx) => {
      const floor = requested.missionId === null ? null : await floorOf(tx, actor, requested.missionId);
      const facts: LockableFacts = {
        securityClassification: requested.securityClassification ?? systemHigh,
        audience: requested.audience,
        usergroups: requested.usergroups,
        draft: false,
        locked: requested.restricted,
        authorId: actor.id,
      };
      authorize(actor, 'annotation.create', facts);
      if (facts.locked) authorize(actor, 'annotation.lock', facts);
      await refuseShared(tx, actor, { requested: facts, before: [], missionId: requested.missionId }).catch((error) => {
        if (!(options.mayHide && error instanceof AppError && error.code === 'hidesFromMaker')) throw error;
      });
      const { id } = await tx
        .insertInto('annotations')
        .values({
          ...(options.id === undefined ? {} : { id: options.id }),
          title: requested.title,
          description: requested.description,
          annotation_type: requested.annotationType,
          classification: classificationRank(facts.securityClassification),
          marked: requested.securityClassification !== undefined,
          audience: requested.audience,
          edit_lock: requested.restricted,
          tags: requested.tags,
          ...(options.made ?? { author_id: actor.id, author: actor.username, creation_time: nowUs() }),
          state: floor?.draft ? 'Created' : 'Ready',
          mission_id: requested.missionId,
          start_time: requested.startTime,
          end_time: requested.endTime,
          ...options.frame,
          ...featureColumns(features),
          deleted_time: null,
          deleted_by: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await shareWith(tx, 'annotation', { id, usergroups: requested.usergroups });
      await writeParts(tx, id, features);
      return id;
    });
  }

  /** @throws AppError invalid, notFound, forbidden, revisionConflict, reasonNeeded, and the refusals of sharing */
  async function update(actor: Actor, id: string, requested: ChangedAnnotation): Promise<Changed> {
    const { features } = requested;
    const change = features === undefined ? requested : { ...requested, features: checkedAreas(features) };
    return db.transaction().execute(async (tx) => {
      const [row] = await lockRows(tx, actor, [id]);
      const before = factsOfAnnotation(row!);
      authorize(actor, 'annotation.update', before);
      if (change.revision !== undefined && change.revision !== row!.revision) throw new AppError('revisionConflict');
      checkSpan({ startTime: row!.start_time, endTime: row!.end_time, ...given(change) });

      // Usergroups that the actor does not know of are kept.
      const unknown = before.usergroups.filter((group) => !knowsGroup(actor, group));
      const usergroups = change.usergroups && [...new Set([...change.usergroups, ...unknown])];
      const after = {
        ...requestedFacts(before, { ...change, usergroups }),
        locked: change.restricted ?? before.locked,
      };
      if (after.locked !== before.locked) authorize(actor, 'annotation.lock', before);
      const sharing = compareSharing(before, after);
      if (sharing.changes) {
        await refuseShared(tx, actor, { requested: after, before: before.usergroups, missionId: row!.mission_id });
        if (sharing.widened) {
          authorize(actor, 'annotation.lower', before);
          needReason(change.reason);
        }
      }
      await writeChange(tx, row!, { change, after });
      return { before, after, reason: change.reason ?? null };
    });
  }

  /**
   * Moves annotations to the bin, all or none. Label and audience remain unchanged. Returns the rows as they were
   * before.
   */
  async function remove(actor: Actor, ids: readonly string[]): Promise<StoredAnnotation[]> {
    return db.transaction().execute(async (tx) => {
      const rows = await lockRows(tx, actor, ids);
      for (const row of rows) authorize(actor, 'annotation.delete', factsOfAnnotation(row));
      await refuseOnHold(
        tx,
        actor,
        'subject_id',
        rows.map(({ id, title: name }) => ({ id, name })),
      );
      await asSystem(tx, 'authorized change')
        .updateTable('annotations')
        .set({ deleted_time: nowUs(), deleted_by: actor.id, revision: sql`revision + 1` })
        .where('id', 'in', [...ids])
        .execute();
      return rows;
    });
  }

  /**
   * Restores annotations from the bin, all or none. Only admins can see what others deleted. Annotations deleted
   * together with their mission are restored with it.
   *
   * @throws AppError notFound, forbidden, ruleRefused
   */
  async function restore(actor: Actor, ids: readonly string[]): Promise<StoredAnnotation[]> {
    return db.transaction().execute(async (tx) => {
      let query = selectAnnotation(annotationsInBin(tx, actor))
        .select(isMissionInBin('annotations.mission_id').as('mission_in_bin'))
        .where('annotations.id', 'in', [...ids]);
      if (!isAdmin(actor)) query = query.where('annotations.deleted_by', '=', actor.id);
      const rows = await query.execute();
      for (const row of rows) authorize(actor, 'annotation.delete', factsOfAnnotation(row));
      if (rows.length < new Set(ids).size) throw new AppError('notFound');
      const waiting = rows.find(({ mission_in_bin }) => mission_in_bin);
      if (waiting) {
        const reason = `Annotation ${waiting.title} belongs to a mission in the bin. Restore the mission first.`;
        throw new AppError('ruleRefused', { reason });
      }
      await asSystem(tx, 'authorized change')
        .updateTable('annotations')
        .set({ deleted_time: null, deleted_by: null, deleted_with_mission: false, revision: sql`revision + 1` })
        .where('id', 'in', [...ids])
        .execute();
      return rows;
    });
  }

  return { create, update, remove, restore };
}

/** Locks and reads the rows. @throws AppError notFound if one is hidden or absent */
async function lockRows(tx: Db, actor: Actor, ids: readonly string[]): Promise<StoredAnnotation[]> {
  if (ids.length === 1) await readAnnotation(tx, actor, ids[0]!);
  await asSystem(tx, 'authorized change')
    .selectFrom('annotations')
    .select('id')
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute();
  const rows = await selectAnnotation(visibleAnnotations(tx, actor))
    .where('annotations.id', 'in', [...ids])
    .execute();
  if (rows.length < new Set(ids).size) throw new AppError('notFound');
  return rows;
}

type Shared = { requested: AccessFacts; before: readonly string[]; missionId: string | null };

/**
 * The mission's bounds are checked first, since their error message is more specific than that of the usergroups'
 * ceilings.
 */
async function refuseShared(tx: Db, actor: Actor, { requested, before, missionId }: Shared): Promise<void> {
  if (missionId !== null) refuseBelowFloor(requested, await floorOf(tx, actor, missionId));
  await refuseSharing(tx, actor, requested, before);
}

const featureColumns = (features: readonly AnnotationFeature[]) => ({
  features: JSON.stringify(features),
  geometries: features.length,
  vertices: verticesIn(features),
});

/** Returns only the fields that are defined. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** @throws AppError invalid */
function checkSpan(span: Parameters<typeof isAnnotationSpan>[0]): void {
  if (!isAnnotationSpan(span))
    throw new AppError('invalid', { endTime: 'Start and end belong together, in this order' });
}

/** The features as they are stored. @throws AppError invalid, with the number of the first feature that is no area */
function checkedAreas(features: readonly AnnotationFeature[]): AnnotationFeature[] {
  return features.map((feature, index) => {
    const geometry = asDrawn(feature.geometry);
    const fault = outlineFault(geometry);
    if (fault !== null) throw new AppError('invalid', { [`features.${index}`]: fault });
    return { ...feature, geometry };
  });
}

type Write = { change: ChangedAnnotation; after: LockableFacts };

async function writeChange(tx: Db, row: StoredAnnotation, { change, after }: Write): Promise<void> {
  const { title, description, tags, features, startTime: start_time, endTime: end_time } = change;
  await asSystem(tx, 'authorized change')
    .updateTable('annotations')
    .set({
      ...given({ title, description, tags, start_time, end_time }),
      ...(features && featureColumns(features)),
      classification: classificationRank(after.securityClassification),
      marked: row.marked || change.securityClassification !== undefined,
      audience: after.audience,
      edit_lock: after.locked,
    })
    .set({ revision: sql`revision + 1` })
    .where('id', '=', row.id)
    .execute();
  await shareOnlyWith(tx, 'annotation', row, after.usergroups);
  if (features !== undefined) await writeParts(tx, row.id, features);
}
