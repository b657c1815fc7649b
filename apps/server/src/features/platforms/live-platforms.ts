import { type Actor, can, isAdmin, type LivePlatform } from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';
import type { LiveRights } from '../../base/items/live-rights.ts';
import { visiblePlatforms } from '../../base/items/visibility.ts';
import { groupModes, liveModesFor } from '../../live/rows/live-modes.ts';
import type { RecorderMirror } from '../../live/rows/mirror.ts';
import { toLivePlatform } from './live-rows.ts';
import { factsOf, readPlatforms, type StoredPlatform } from './stored.ts';

export type LivePlatformDeps = {
  db: Db;
  mirror: Pick<RecorderMirror, 'connected' | 'source' | 'runningOf'>;
  live: Pick<LiveRights, 'mission'>;
};

/** Reads platforms for an actor: their rows, and the part of the recorder's state that the actor may know. */
export function livePlatforms({ db, mirror, live }: LivePlatformDeps) {
  /** Returns whether the actor may know about the running recording; true if there is none. */
  async function readsRecording(actor: Actor, platformId: string): Promise<boolean> {
    const recording = mirror.runningOf(platformId);
    if (recording === null) return true;
    const mission = await live.mission(recording.missionId);
    return mission !== null && can(actor, 'mission.read', mission).allowed;
  }

  return {
    readsRecording,

    /** Reads the platforms visible to the actor, sorted by name. */
    stored: (actor: Actor): Promise<StoredPlatform[]> => readPlatforms(db, visiblePlatforms(db, actor)),

    async list(actor: Actor): Promise<LivePlatform[]> {
      const [platforms, modes] = await Promise.all([
        readPlatforms(db, visiblePlatforms(db, actor)),
        groupModes(db, actor),
      ]);
      const own = new Set(actor.groups.map(({ _id }) => _id));
      return Promise.all(
        platforms.map(async (platform) =>
          toLivePlatform(platform, {
            ...mirror,
            isKnown: (id) => isAdmin(actor) || own.has(id),
            recording: mirror.runningOf(platform.id),
            isHidden: !(await readsRecording(actor, platform.id)),
            showsAddress: can(actor, 'platform.control', factsOf(platform)).allowed,
            liveModes: liveModesFor(actor, factsOf(platform), modes),
          }),
        ),
      );
    },
  };
}

export type LivePlatforms = ReturnType<typeof livePlatforms>;
