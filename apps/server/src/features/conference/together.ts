import {
  type Actor,
  can,
  classificationRank,
  type SharedView,
  type TogetherPoint,
  type TogetherRoom,
  type TogetherShow,
  type TogetherWish,
  togetherEvent,
  togetherPointEvent,
  togetherViewEvent,
} from '@osprey/contract';
import type { StoredFacts } from '../../base/items/facts.ts';
import type { LiveRights } from '../../base/items/live-rights.ts';
import type { MissionFacts } from '../../base/items/mission-facts.ts';
import type { PlatformFacts } from '../../base/items/platform-facts.ts';
import type { Page } from '../../base/ws/hub.ts';
import type { Presence } from './presence.ts';

/** A member comes and another one goes in the same moment. */
const NOTIFY_MS = 20;

export type TogetherDeps = {
  presence: Pick<Presence, 'isIn' | 'roomsByUser'>;
  live: Pick<LiveRights, 'account' | 'facts' | 'mission' | 'platform' | 'platformOf'>;
  /** Whether lost rights would be heard of. */
  isListening: () => boolean;
  log: { warn: (fields: object, text: string) => void };
};

/**
 * View that a following page was sent last (`shown`, as far as its user may see it), and the leader's view that it was
 * made from.
 */
type Sent = { shown: SharedView | null; view: SharedView | null };

type Session = {
  leader: Page | null;
  view: SharedView | null;
  followers: Map<Page, Sent>;
  /** The label of what the room may not be shown. */
  refused: TogetherRoom['refused'];
  isDue: boolean;
  working: Promise<void> | null;
};

/** All that the rights to what a room is shown depend on, read at one moment. */
type Facts = {
  room: StoredFacts | null;
  mission: MissionFacts | null;
  /** By live sensor, of its platform. */
  platforms: Map<string, PlatformFacts>;
  actors: Map<string, Actor>;
};

/** Returns the key of a view: the id of a mission, or `live` for the live page. */
const subjectOf = (view: SharedView | null): string | null =>
  view === null ? null : 'mission' in view ? view.mission : LIVE;
const LIVE = 'live';

/** Pages with one key have the same rights. */
const keyOf = ({ userId, ceiling }: Page): string => `${userId} ${ceiling}`;

/** The same rights decide on both. */
const isSame = (one: SharedView | null, other: SharedView | null): boolean =>
  subjectOf(one) === subjectOf(other) && String(liveOf(one)) === String(liveOf(other));
const liveOf = (view: SharedView | null) => (view !== null && 'live' in view ? view.live : []);

/**
 * Pages of people in one room that look at what the page of one of them shows. The server passes on what the leader
 * shows to each page that follows, with the rights that its account has at that moment; nobody hears what others may
 * see. A mission, or a platform, above the label of the room is shown to nobody, and the leader hears why. Of live
 * pictures each page is told those sensors whose platforms its account may watch.
 */
export function together({ presence, live, isListening, log }: TogetherDeps) {
  const watchers = new Map<Page, string>();
  const sessions = new Map<string, Session>();
  let changes = 0;
  let timer: NodeJS.Timeout | null = null;
  let notifying: Promise<void> = Promise.resolve();

  function sessionOf(roomId: string): Session {
    const existing = sessions.get(roomId);
    if (existing) return existing;
    const followers = new Map<Page, Sent>();
    const made = { leader: null, view: null, followers, refused: null, isDue: false, working: null };
    sessions.set(roomId, made);
    return made;
  }

  /** No state of a room is kept without a leader or followers. */
  function forgetIdle(roomId: string, session: Session): void {
    if (session.leader === null && session.followers.size === 0 && sessions.get(roomId) === session) {
      sessions.delete(roomId);
    }
  }

  /**
   * Read until nothing changed while it was read: what is decided with them, and sent in the same turn, is decided with
   * the rights of this moment.
   */
  async function factsFor(roomId: string, view: SharedView | null, pages: Iterable<Page>): Promise<Facts> {
    for (;;) {
      const before = changes;
      const asked = [...new Map([...pages].map((page) => [keyOf(page), page])).values()];
      const [room, mission, platforms, ...accounts] = await Promise.all([
        live.facts('room', roomId),
        view !== null && 'mission' in view ? live.mission(view.mission) : null,
        platformsOf(view !== null && 'live' in view ? view.live : []),
        ...asked.map(({ userId, ceiling }) => live.account(userId, ceiling)),
      ]);
      if (before !== changes) continue;
      const actors = new Map<string, Actor>();
      for (const [index, page] of asked.entries()) {
        const account = accounts[index] ?? null;
        if (account !== null) actors.set(keyOf(page), account.actor);
      }
      return { room, mission, platforms, actors };
    }
  }

  async function platformsOf(sensorIds: readonly string[]): Promise<Map<string, PlatformFacts>> {
    const found = new Map<string, PlatformFacts>();
    for (const sensorId of sensorIds) {
      const platformId = await live.platformOf(sensorId);
      const facts = platformId === null ? null : await live.platform(platformId);
      if (facts !== null) found.set(sensorId, facts);
    }
    return found;
  }

  /** As much of a view as this account may see now, in the room; null: nothing. */
  function seenBy(roomId: string, { room, mission, platforms, actors }: Facts, page: Page, view: SharedView) {
    const actor = actors.get(keyOf(page));
    if (actor === undefined || room === null || !isListening()) return null;
    if (!presence.isIn(roomId, page.userId) || !can(actor, 'room.join', room).allowed) return null;
    if ('mission' in view) return mission !== null && can(actor, 'mission.read', mission).allowed ? view : null;
    const own = view.live.filter((id) => {
      const platform = platforms.get(id);
      return platform !== undefined && can(actor, 'platform.watch', platform).allowed;
    });
    if (own.length === 0) return null;
    if (own.length === view.live.length) return view;
    return { ...view, live: own, sensor: view.sensor !== null && own.includes(view.sensor) ? view.sensor : null };
  }

  /** The highest label of what is looked at, where it is above that of the room. */
  function labelAbove({ room, mission, platforms }: Facts): TogetherRoom['refused'] {
    const shown = mission === null ? [...platforms.values()] : [mission];
    const labels = shown.map(({ securityClassification }) => securityClassification);
    const [highest] = labels.sort((a, b) => classificationRank(b) - classificationRank(a));
    if (room === null || highest === undefined) return null;
    return classificationRank(highest) > classificationRank(room.securityClassification) ? highest : null;
  }

  const pagesOf = ({ leader, followers }: Session): Page[] => [...(leader ? [leader] : []), ...followers.keys()];

  function deliverSoon(roomId: string, session: Session): void {
    session.isDue = true;
    session.working ??= work(roomId, session);
  }

  /** One after the other, and of several views that wait only the newest. */
  async function work(roomId: string, session: Session): Promise<void> {
    while (session.isDue) {
      session.isDue = false;
      try {
        await deliver(roomId, session);
      } catch (error) {
        log.warn({ error, roomId }, 'what a room looks at was not sent');
        for (const [page, sent] of session.followers) hide(roomId, page, sent);
      }
    }
    session.working = null;
    forgetIdle(roomId, session);
  }

  async function deliver(roomId: string, session: Session): Promise<void> {
    const asked = session.view;
    const facts = await factsFor(roomId, asked, pagesOf(session));
    const { leader, view } = session;
    // The room may show another view by now.
    if (view !== asked && !isSame(view, asked)) {
      session.isDue = true;
      return;
    }
    const led = leader === null || view === null ? null : seenBy(roomId, facts, leader, view);
    const refused = led === null ? null : labelAbove(facts);
    if (refused !== session.refused) {
      session.refused = refused;
      scheduleNotify();
    }
    for (const [page, sent] of session.followers) {
      const shown = led === null || refused !== null ? null : seenBy(roomId, facts, page, led);
      if (shown === null) hide(roomId, page, sent);
      else if (sent.view !== view || !isSame(sent.shown, shown)) {
        Object.assign(sent, { shown, view });
        page.emit(togetherViewEvent.name, { room: roomId, view: shown });
      }
    }
  }

  function hide(room: string, page: Page, sent: Sent): void {
    if (sent.shown === null) return;
    Object.assign(sent, { shown: null, view: null });
    page.emit(togetherViewEvent.name, { room, view: null });
  }

  /** Ends the leading or following of a page. */
  function stop(roomId: string, page: Page): void {
    const session = sessions.get(roomId);
    if (session === undefined) return;
    const sent = session.followers.get(page);
    if (sent) hide(roomId, page, sent);
    session.followers.delete(page);
    if (session.leader === page) Object.assign(session, { leader: null, view: null });
    scheduleNotify();
    deliverSoon(roomId, session);
  }

  function wish(page: Page, requested: TogetherWish): void {
    if (requested.command === 'watch') {
      watchers.set(page, '');
      scheduleNotify();
      return;
    }
    const { command, room } = requested;
    stop(room, page);
    if (command === 'stop' || !presence.isIn(room, page.userId)) return;
    const session = sessionOf(room);
    if (command === 'lead') Object.assign(session, { leader: page, view: null });
    else session.followers.set(page, { shown: null, view: null });
    scheduleNotify();
    deliverSoon(room, session);
  }

  function show(page: Page, { room, view }: TogetherShow): void {
    const session = sessions.get(room);
    // Another page may have begun to lead.
    if (session?.leader !== page) return;
    session.view = view;
    deliverSoon(room, session);
  }

  /** Passed on to each page that shows this mission, or this live sensor, now, and by nobody who does not. */
  async function point(page: Page, { room, mission, at }: TogetherPoint): Promise<void> {
    const session = sessions.get(room);
    const subject = mission ?? LIVE;
    if (session === undefined || subjectOf(session.view) !== subject) return;
    const facts = await factsFor(room, session.view, pagesOf(session));
    const shows = (one: Page) => {
      const isLeader = one === session.leader;
      const shown = isLeader ? (session.refused === null ? session.view : null) : session.followers.get(one)?.shown;
      if (!shown || subjectOf(shown) !== subject) return false;
      const seen = seenBy(room, facts, one, shown);
      if (seen === null || 'mission' in seen || at?.on !== 'picture') return seen !== null;
      return seen.live.includes(at.sensor);
    };
    const by = facts.actors.get(keyOf(page))?.username;
    if (by === undefined || !shows(page)) return;
    for (const one of pagesOf(session)) {
      if (one !== page && shows(one)) one.emit(togetherPointEvent.name, { room, mission, by, at });
    }
  }

  function scheduleNotify(): void {
    timer ??= setTimeout(() => {
      timer = null;
      // In turn: the last word is the newest.
      notifying = notifying.then(notify).catch((error) => log.warn({ error }, 'who leads a room was not sent'));
    }, NOTIFY_MS);
  }

  /** To each page that asked, the rooms of its account, if these differ from its last message. */
  async function notify(): Promise<void> {
    const byUser = presence.roomsByUser();
    for (const [page, sent] of watchers) {
      const ids = byUser.get(page.userId) ?? [];
      if (ids.length === 0 && sent === '') continue;
      const rooms: TogetherRoom[] = [];
      for (const id of ids) {
        const room = await roomFor(page, id);
        if (room !== null) rooms.push(room);
      }
      const text = JSON.stringify(rooms);
      if (text === sent || !watchers.has(page)) continue;
      watchers.set(page, text);
      page.emit(togetherEvent.name, { rooms });
    }
  }

  /** Null for who may not be in it. */
  async function roomFor(page: Page, id: string): Promise<TogetherRoom | null> {
    const { leader: leads = null } = sessions.get(id) ?? {};
    const { room, actors } = await factsFor(id, null, leads ? [page, leads] : [page]);
    const actor = actors.get(keyOf(page));
    if (room === null || actor === undefined || !can(actor, 'room.join', room).allowed) return null;
    const { leader = null, followers, refused = null } = sessions.get(id) ?? {};
    const does = leader === page ? 'leads' : followers?.has(page) ? 'follows' : 'neither';
    return {
      _id: id,
      name: room.name,
      securityClassification: room.securityClassification,
      leader: leader && (actors.get(keyOf(leader))?.username ?? null),
      page: does,
      refused: leader === page ? refused : null,
    };
  }

  /** Rights may have changed: views that an account may not see any more are taken from it. */
  function review(): void {
    changes += 1;
    for (const [roomId, session] of sessions) deliverSoon(roomId, session);
    if (sessions.size > 0) scheduleNotify();
  }

  return {
    wish,
    show,
    point(page: Page, pointed: TogetherPoint): void {
      point(page, pointed).catch((error) => log.warn({ error }, 'a pointer was not sent'));
    },
    review,

    /** A member came into a room or left one. */
    moved(roomId: string): void {
      const session = sessions.get(roomId);
      for (const page of session ? pagesOf(session) : []) if (!presence.isIn(roomId, page.userId)) stop(roomId, page);
      scheduleNotify();
    },

    gone(page: Page): void {
      watchers.delete(page);
      for (const roomId of sessions.keys()) stop(roomId, page);
    },

    close(): void {
      if (timer) clearTimeout(timer);
    },
  };
}
