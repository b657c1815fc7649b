import {
  type Actor,
  AppError,
  can,
  classificationOf,
  createConferenceToken,
  createRoom,
  deleteRoom,
  listRooms,
  type Room,
} from '@osprey/contract';
import { ceilingOf } from '../../base/access/actors.ts';
import { knowsGroup } from '../../base/access/known-groups.ts';
import { auditedItem } from '../../base/audit/item-notes.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Changed } from '../../base/ws/outgoing.ts';
import type { Presence } from './presence.ts';
import type { RoomRow, Rooms, RoomsDeps } from './rooms.ts';

export type ConferenceRoutesDeps = Http & {
  rooms: Rooms;
  presence: Presence;
  verbs: RoomsDeps['verbs'];
  /** True if conferences are switched on and the licence includes them. */
  isOffered: () => boolean;
  changed: Changed;
  /** Also removes a deleted room from the conference server; undefined if there is none. */
  deleted: ((roomId: string) => Promise<void>) | undefined;
};

/** Serves the calls for conference rooms and for the tokens that open them. */
export function conferenceRoutes(deps: ConferenceRoutesDeps): void {
  const { rooms, presence, verbs, isOffered, changed } = deps;

  /** @throws AppError conferenceOff */
  function needConferences(): void {
    if (!isOffered()) throw new AppError('conferenceOff');
  }

  callRoute(deps, listRooms, async ({ actor }) => {
    needConferences();
    return (await rooms.list(actor)).map((row) => shown(row, actor));
  });

  callRoute(deps, createRoom, async ({ input: { body }, actor, audit }) => {
    needConferences();
    const facts = await rooms.create(actor, body);
    await audit.write({ action: 'room.create', ...auditedItem(facts) });
    changed('rooms', [facts.id]);
    const row = await rooms.one(actor, facts.id);
    if (row === undefined) throw new AppError('notFound');
    return shown(row, actor);
  });

  callRoute(deps, deleteRoom, async ({ input: { params }, actor, audit }) => {
    needConferences();
    const facts = await rooms.remove(actor, params.name);
    await audit.write({ action: 'room.delete', ...auditedItem(facts) });
    changed('rooms', [facts.id]);
    await deps.deleted?.(facts.id);
    return { message: `Room ${facts.name} deleted.` };
  });

  callRoute(deps, createConferenceToken, async ({ input: { body }, actor, session, request, audit }) => {
    needConferences();
    const { facts, maxParticipants } = await rooms.toJoin(actor, body.name);
    if (!presence.hasRoom(facts.id, actor.id, maxParticipants)) {
      throw new AppError('roomFull', { name: facts.name, count: String(presence.people(facts.id)) });
    }
    await audit.write({ action: 'room.token', ...auditedItem(facts) });
    const { credentialId, userEpoch } = session;
    const who = { userId: actor.id, credentialId, userEpoch, ceiling: ceilingOf(actor), address: request.ip };
    return { token: presence.issue({ ...who, roomId: facts.id, maxParticipants }), room: facts.id };
  });

  function shown(row: RoomRow, actor: Actor): Room {
    const facts = {
      securityClassification: classificationOf(row.classification),
      audience: 'groups' as const,
      usergroups: row.usergroups.map(({ _id }) => _id),
      draft: false,
    };
    const known = row.usergroups.filter(({ _id }) => knowsGroup(actor, _id));
    return {
      _id: row.id,
      name: row.name,
      usergroups: known.map(({ name }) => name),
      emptyTimeout: row.empty_timeout_s,
      maxParticipants: row.max_participants,
      securityClassification: facts.securityClassification,
      maker: row.maker,
      created: row.created,
      participants: presence.people(row.id),
      mayDelete: can(actor, verbs.delete, facts).allowed,
    };
  }
}
