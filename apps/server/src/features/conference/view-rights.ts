import { type Actor, can, classificationRank, type SharedView, type TogetherRoom } from '@osprey/contract';
import type { StoredFacts } from '../../base/items/facts.ts';
import type { LiveRights } from '../../base/items/live-rights.ts';
import type { MissionFacts } from '../../base/items/mission-facts.ts';
import type { PlatformFacts } from '../../base/items/platform-facts.ts';
import type { Page } from '../../base/ws/hub.ts';

/** Everything that decides who may see the shared view of a room, read at one moment. */
export type ViewFacts = {
  room: StoredFacts | null;
  mission: MissionFacts | null;
  /** The platform of each live sensor, by sensor id. */
  platforms: Map<string, PlatformFacts>;
  /** By `rightsKey` of a page. */
  actors: Map<string, Actor>;
};

/** Returns the subject of a view: the id of a mission, or `live` for the live page. */
export const subjectOf = (view: SharedView | null): string | null =>
  view === null ? null : 'mission' in view ? view.mission : LIVE;
export const LIVE = 'live';

/** Returns the key that pages with the same rights share. */
export const rightsKey = ({ userId, ceiling }: Page): string => `${userId} ${ceiling}`;

/** Whether two views show the same mission, or the same live sensors, so that the same rights decide on both. */
export const haveSameSubject = (one: SharedView | null, other: SharedView | null): boolean =>
  subjectOf(one) === subjectOf(other) && String(sensorsOf(one)) === String(sensorsOf(other));
const sensorsOf = (view: SharedView | null) => (view !== null && 'live' in view ? view.live : []);

/** Reads the facts of views. */
export function viewFacts(live: Pick<LiveRights, 'account' | 'facts' | 'mission' | 'platform' | 'platformOf'>) {
  let changes = 0;

  async function platformsOf(sensorIds: readonly string[]): Promise<Map<string, PlatformFacts>> {
    const platforms = new Map<string, PlatformFacts>();
    for (const sensorId of sensorIds) {
      const platformId = await live.platformOf(sensorId);
      const facts = platformId === null ? null : await live.platform(platformId);
      if (facts !== null) platforms.set(sensorId, facts);
    }
    return platforms;
  }

  return {
    /** Notes that rights have changed: a read that is under way begins again. */
    changed(): void {
      changes += 1;
    },

    /**
     * Reads again until no right changed during the read. A decision made in the same turn of the event loop is therefore
     * made with the rights of that moment.
     */
    async read(roomId: string, view: SharedView | null, pages: Iterable<Page>): Promise<ViewFacts> {
      for (;;) {
        const before = changes;
        const asked = [...new Map([...pages].map((page) => [rightsKey(page), page])).values()];
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
          if (account !== null) actors.set(rightsKey(page), account.actor);
        }
        return { room, mission, platforms, actors };
      }
    },
  };
}

/** Returns the part of a view that the account of a page may see now; null if that is nothing. */
export function visiblePart({ room, mission, platforms, actors }: ViewFacts, page: Page, view: SharedView) {
  const actor = actors.get(rightsKey(page));
  if (actor === undefined || room === null || !can(actor, 'room.join', room).allowed) return null;
  if ('mission' in view) return mission !== null && can(actor, 'mission.read', mission).allowed ? view : null;
  const own = view.live.filter((id) => {
    const platform = platforms.get(id);
    return platform !== undefined && can(actor, 'platform.watch', platform).allowed;
  });
  if (own.length === 0) return null;
  if (own.length === view.live.length) return view;
  return { ...view, live: own, sensor: view.sensor !== null && own.includes(view.sensor) ? view.sensor : null };
}

/** Returns the highest label of the mission or platforms in view if it is above the room's label, else null. */
export function labelAbove({ room, mission, platforms }: ViewFacts): TogetherRoom['refused'] {
  const shown = mission === null ? [...platforms.values()] : [mission];
  const labels = shown.map(({ securityClassification }) => securityClassification);
  const [highest] = labels.sort((a, b) => classificationRank(b) - classificationRank(a));
  if (room === null || highest === undefined) return null;
  return classificationRank(highest) > classificationRank(room.securityClassification) ? highest : null;
}
