import type { Server } from 'node:http';
import {
  type Actor,
  BUILT_IN_PARTICIPANTS_MAX,
  can,
  conferencesCountEvent,
  missionLook,
  PARTICIPANTS_MAX,
  togetherPoint,
  togetherShow,
  togetherWish,
} from '@osprey/contract';
import type { z } from 'zod';
import type { OpenReads } from '../base/access/open-reads.ts';
import { requestAudit } from '../base/audit/request-audit.ts';
import type { Http } from '../base/http/call-route.ts';
import type { LiveRights } from '../base/items/live-rights.ts';
import type { Hub, Page } from '../base/ws/hub.ts';
import { conferenceSocket } from '../features/conference/conference-socket.ts';
import { type Livekit, livekitServer } from '../features/conference/livekit.ts';
import { conferencePresence } from '../features/conference/presence.ts';
import { conferenceRooms } from '../features/conference/rooms.ts';
import { conferenceRoutes } from '../features/conference/routes.ts';
import { together } from '../features/conference/together.ts';
import { missionViewers } from '../features/conference/viewers.ts';
import type { Credentials } from '../features/identity/credentials.ts';
import type { LicenceKeeper } from '../features/licence/keeper.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Interval between checks for idle rooms, in milliseconds. Rooms are at least five minutes old when they are removed.
 */
const EXPIRE_MS = 5000;
/** Delay before counts are sent, in milliseconds, since one change of rights often causes several notices. */
const COUNT_MS = 50;

/** Whether conference rooms are offered. This requires both the licence option and OSPREY_CONFERENCE. */
export const isConferenceOffered = (config: Dependencies['config'], licence: LicenceKeeper['current']): boolean =>
  config.conference && licence().options.has('conference');

type Opening = { dependencies: Dependencies; auditWriter: Http['auditWriter'] };

/**
 * Opens the rooms stored in the database, the conference server if one is configured, and the removal of idle rooms.
 */
export function openConference({ dependencies, auditWriter }: Opening) {
  const { db, items, config, nowUs, events } = dependencies;
  const own = config.conferenceCreate === 'groupAdmins';
  const verbs = own
    ? ({ create: 'room.createOwn', delete: 'room.deleteOwn' } as const)
    : ({ create: 'room.create', delete: 'room.delete' } as const);
  const livekit = livekitOf(dependencies);
  const participantsMax = livekit === null ? BUILT_IN_PARTICIPANTS_MAX : PARTICIPANTS_MAX;
  const rooms = conferenceRooms({ db, items, nowUs, participantsMax, verbs });
  const audit = requestAudit(auditWriter, { actor: null, session: null, address: '' }, nowUs);
  return {
    conference: {
      ...{ verbs, livekit, rooms },
      /** Removes idle rooms now. */
      async expire(): Promise<void> {
        for (const { id, securityClassification, usergroups } of await rooms.expire()) {
          await audit.write({ action: 'room.expire', itemId: id, itemLabel: securityClassification, usergroups });
          events.changed('rooms', [id]);
          await livekit?.deleteRoom(id);
        }
      },
    },
  };
}

export type Conference = ReturnType<typeof openConference>;

type Options = {
  http: Http;
  dependencies: Dependencies;
  live: LiveRights;
  reads: OpenReads;
  identity: { credentials: Pick<Credentials, 'isGood'> };
  hub: Pick<Hub, 'notifyEach' | 'onWelcome' | 'onMessage' | 'onGone'>;
  server: Server;
  hosts: ReadonlySet<string>;
  licence: Pick<LicenceKeeper, 'current' | 'onChange'>;
  isServing: () => boolean;
} & Conference;

/**
 * Serves conferences in the api process: rooms, tokens, and the socket through which browsers connect to each other.
 */
export async function serveConference(options: Options): Promise<void> {
  const { http, dependencies, live, reads, identity, hub, server, hosts, licence, isServing, conference } = options;
  const { config, nowUs, nowMs, log, events } = dependencies;
  const { verbs, livekit, rooms, expire } = conference;
  const { isGood } = identity.credentials;
  const isOffered = () => isConferenceOffered(config, licence.current);
  const media = livekit && { ...livekit, url: config.livekitUrl ?? '', page: config.conferenceUrl };
  let noting: Promise<unknown> = rooms.allEmpty();
  await noting;

  const presence = conferencePresence({
    nowMs,
    moved(roomId, people) {
      scheduleNotify();
      following.moved(roomId);
      events.changed('rooms', [roomId]);
      // Written one after another, so that the last state stored for a room is the newest.
      noting = noting
        .then(() => rooms.noteOccupied(roomId, people > 0))
        .catch((error) => log.warn({ error, roomId }, 'who is in a room was not noted'));
    },
  });

  const following = together({ presence, live, isListening: isServing, log });
  function onMessage<Schema extends z.ZodType>(
    name: string,
    schema: Schema,
    handle: (page: Page, message: z.output<Schema>) => void,
  ): void {
    hub.onMessage(name, (page, message) => {
      const parsed = schema.safeParse(message);
      if (parsed.success) handle(page, parsed.data);
      return parsed.success;
    });
  }
  onMessage('Together', togetherWish, following.wish);
  onMessage('TogetherShow', togetherShow, following.show);
  onMessage('TogetherPoint', togetherPoint, following.point);
  hub.onGone(following.gone);
  const viewers = missionViewers({ live, isListening: isServing, log });
  onMessage('MissionLook', missionLook, viewers.viewing);
  hub.onGone(viewers.gone);

  /** Null for accounts that may use no rooms, and if the rights to the rooms cannot be read. */
  async function countFor(actor: Actor): Promise<object | null> {
    if (!can(actor, 'room.list').allowed) return null;
    if (!isOffered()) return { conferencesCount: 0 };
    const facts = await Promise.all(presence.occupied().map((id) => live.facts('room', id)));
    const shown = facts.filter((room) => room !== null && can(actor, 'room.join', room).allowed);
    return { conferencesCount: shown.length };
  }

  let notifying: NodeJS.Timeout | null = null;
  function scheduleNotify(): void {
    notifying ??= setTimeout(() => {
      notifying = null;
      notify().catch((error) => log.warn({ error }, 'the count of conferences was not sent'));
    }, COUNT_MS);
  }
  const notify = () => hub.notifyEach(conferencesCountEvent.name, countFor);

  // A page starts with a count of zero, so nothing needs to be sent if no room is occupied.
  hub.onWelcome(conferencesCountEvent.name, async (actor) => (presence.occupied().length > 0 ? countFor(actor) : null));
  licence.onChange(scheduleNotify);
  live.follow({
    notice: (notice) =>
      void (('room' in notice || 'user' in notice) && presence.occupied().length > 0 && scheduleNotify()),
    forgetAll: scheduleNotify,
  });
  live.follow({
    notice(notice) {
      if ('room' in notice || 'user' in notice || 'mission' in notice || 'platform' in notice) following.review();
      if ('user' in notice) viewers.review(null);
      if ('mission' in notice) viewers.review(notice.mission);
    },
    forgetAll() {
      following.review();
      viewers.review(null);
    },
  });

  conferenceRoutes({
    ...http,
    rooms,
    presence,
    verbs,
    isOffered,
    changed: events.changed,
    deleted: livekit?.deleteRoom,
  });
  const socket = conferenceSocket({
    ...{ server, hosts, isServing, isOffered, presence, live, isGood, reads, media, log },
    auditOf: (actor, { credentialId, address }) =>
      requestAudit(http.auditWriter, { actor, session: credentialId, address }, nowUs),
  });

  const expiring = setInterval(() => {
    expire().catch((error) => log.warn({ error }, 'idle rooms were not removed'));
  }, EXPIRE_MS);

  // Runs before the server waits for its connections to end, since these end in no other way.
  http.app.addHook('preClose', async () => {
    clearInterval(expiring);
    await socket.close();
    livekit?.close();
    following.close();
    viewers.close();
    if (notifying) clearTimeout(notifying);
    await noting;
  });
}

/** Null if no conference server is configured. */
function livekitOf({ config, nowMs, log }: Dependencies): Livekit | null {
  const { livekitUrl: url, livekitKey: key, livekitSecret: secret } = config;
  return url === null || key === null || secret === null ? null : livekitServer({ url, key, secret, nowMs, log });
}
