import { type Actor, AppError, classificationOf, classificationRank, type NewRoom } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import { knowsGroup } from '../../base/access/known-groups.ts';
import { refuseSharing } from '../../base/access/sharing.ts';
import type { Database } from '../../base/db/schema.ts';
import type { StoredFacts } from '../../base/items/facts.ts';
import type { Items } from '../../base/items/items.ts';
import { visibleOf } from '../../base/items/visible.ts';
import { roomItem } from './item.ts';

/** Maximum number of rooms. No site needs that many; the limit stops programs that create rooms endlessly. */
const ROOMS_MAX = 500;

export type RoomsDeps = {
  db: Kysely<Database>;
  items: Pick<Items, 'factsOf' | 'factsById'>;
  nowUs: () => number;
  /** Maximum number of participants supported by this installation's type of conference. */
  participantsMax: number;
  /** Actions whose rights are required to create and delete rooms. */
  verbs: { create: 'room.create' | 'room.createOwn'; delete: 'room.delete' | 'room.deleteOwn' };
};

export type Rooms = ReturnType<typeof conferenceRooms>;
export type RoomRow = Awaited<ReturnType<Rooms['list']>>[number];

/** A room and what its rights depend on. */
export type FoundRoom = { facts: StoredFacts; maxParticipants: number };

const noRoom = new AppError('notFound');

/** Creates, finds and removes the database rows of conference rooms. */
export function conferenceRooms({ db, items, nowUs, participantsMax, verbs }: RoomsDeps) {
  const rowsFor = (actor: Actor) =>
    visibleOf(roomItem.room, db, actor)
      .leftJoin('users', 'users.id', 'rooms.maker_id')
      .select([
        'rooms.id',
        'rooms.name',
        'rooms.classification',
        'rooms.empty_timeout_s',
        'rooms.max_participants',
        'rooms.created',
        'users.username as maker',
        sql<{ _id: string; name: string }[]>`coalesce((
          select json_agg(json_build_object('_id', usergroups.id, 'name', usergroups.name) order by usergroups.name)
          from room_usergroups link join usergroups on usergroups.id = link.usergroup_id
          where link.room_id = rooms.id), '[]')`.as('usergroups'),
      ]);

  /** Finds the rooms with this id or name, the newest first, since several may share a name. */
  async function findNamed(tx: Db, actor: Actor, nameOrId: string) {
    return visibleOf(roomItem.room, tx, actor)
      .select(['rooms.id', 'rooms.name', 'rooms.max_participants'])
      .where((where) => where.or([where('rooms.name', '=', nameOrId), where(sql`rooms.id::text`, '=', nameOrId)]))
      .orderBy('rooms.created', 'desc')
      .execute();
  }

  /** @throws AppError notFound */
  async function factsOf(tx: Db, id: string): Promise<StoredFacts> {
    const facts = await items.factsOf('room', asSystem(tx, 'authorized change'), id);
    if (facts === null) throw noRoom;
    return facts;
  }

  return {
    list: (actor: Actor) => rowsFor(actor).orderBy('rooms.name').orderBy('rooms.created').limit(ROOMS_MAX).execute(),
    one: (actor: Actor, id: string) => rowsFor(actor).where('rooms.id', '=', id).executeTakeFirst(),

    /**
     * Creates a room. Names must be unique only among the rooms that the creator can see, so that a refusal does not
     * reveal a hidden room.
     *
     * @throws AppError forbidden, unknownUsergroup, roomNameTaken, ruleRefused, and those of `shareProblem`
     */
    async create(actor: Actor, requested: NewRoom): Promise<StoredFacts> {
      return db.transaction().execute(async (tx) => {
        const groups = await tx
          .selectFrom('usergroups')
          .select(['id', 'name', 'classification'])
          .where('name', 'in', requested.usergroups)
          .execute();
        const known = groups.filter(({ id }) => knowsGroup(actor, id));
        if (known.length < requested.usergroups.length) throw new AppError('unknownUsergroup');
        const classification = Math.min(...known.map((group) => group.classification));
        const facts = {
          securityClassification: classificationOf(classification),
          audience: 'groups' as const,
          usergroups: known.map(({ id }) => id),
          draft: false,
        };
        authorize(actor, verbs.create, facts);
        await refuseSharing(tx, actor, facts);
        if (requested.maxParticipants > participantsMax) {
          const reason = `Without a conference server a room takes up to ${participantsMax} people.`;
          throw new AppError('ruleRefused', { reason });
        }
        await sql`select pg_advisory_xact_lock(hashtextextended(${`room ${requested.name}`}, 0))`.execute(tx);
        const taken = await findNamed(tx, actor, requested.name);
        if (taken.some(({ name }) => name === requested.name))
          throw new AppError('roomNameTaken', { name: requested.name });
        await refuseTooMany(tx);
        const { id } = await tx
          .insertInto('rooms')
          .values({
            name: requested.name,
            classification: classificationRank(facts.securityClassification),
            empty_timeout_s: requested.emptyTimeout,
            max_participants: requested.maxParticipants,
            maker_id: actor.id,
            created: nowUs(),
            empty_since: null,
            deleted_time: null,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('room_usergroups')
          .values(facts.usergroups.map((usergroup_id) => ({ room_id: id, usergroup_id })))
          .execute();
        return factsOf(tx, id);
      });
    },

    /** @throws AppError notFound, forbidden, roomNameAmbiguous */
    async remove(actor: Actor, nameOrId: string): Promise<StoredFacts> {
      return db.transaction().execute(async (tx) => {
        const found = await findNamed(tx, actor, nameOrId);
        if (found.length > 1) throw new AppError('roomNameAmbiguous', { name: nameOrId });
        if (found[0] === undefined) throw noRoom;
        const facts = await factsOf(tx, found[0].id);
        authorize(actor, verbs.delete, facts);
        await asSystem(tx, 'authorized change')
          .updateTable('rooms')
          .set({ deleted_time: nowUs() })
          .where('id', '=', facts.id)
          .execute();
        return facts;
      });
    },

    /** The room that the actor means to join. @throws AppError notFound, forbidden */
    async toJoin(actor: Actor, nameOrId: string): Promise<FoundRoom> {
      const [found] = await findNamed(db, actor, nameOrId);
      if (found === undefined) throw noRoom;
      const facts = await factsOf(db, found.id);
      authorize(actor, 'room.join', facts);
      return { facts, maxParticipants: Math.min(found.max_participants, participantsMax) };
    },

    /** Records that a member joined, or that the last one left. */
    async noteOccupied(id: string, isOccupied: boolean): Promise<void> {
      await asSystem(db, 'sweep')
        .updateTable('rooms')
        .set({ used: true, empty_since: isOccupied ? null : nowUs() })
        .where('id', '=', id)
        .execute();
    },

    /**
     * Marks all rooms as empty, since no member is connected at startup. The idle time of rooms that were used begins
     * now.
     */
    async allEmpty(): Promise<void> {
      await asSystem(db, 'start')
        .updateTable('rooms')
        .set({ empty_since: nowUs() })
        .where('used', '=', true)
        .where('empty_since', 'is', null)
        .where('deleted_time', 'is', null)
        .execute();
    },

    /** Removes the rooms whose idle time has expired. Returns the facts that their rights depended on. */
    async expire(): Promise<StoredFacts[]> {
      const over = await asSystem(db, 'sweep')
        .updateTable('rooms')
        .set({ deleted_time: nowUs() })
        .where('deleted_time', 'is', null)
        .where(sql<boolean>`empty_since + empty_timeout_s::bigint * 1000000 <= ${nowUs()}`)
        .returning('id')
        .execute();
      const ids = over.map(({ id }) => id);
      return [...(await items.factsById(db, ids)).values()];
    },
  };
}

async function refuseTooMany(tx: Db): Promise<void> {
  const { count } = await asSystem(tx, 'authorized change')
    .selectFrom('rooms')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('deleted_time', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(count) < ROOMS_MAX) return;
  throw new AppError('ruleRefused', { reason: `There are ${ROOMS_MAX} rooms already. Please delete some first.` });
}
