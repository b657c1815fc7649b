import { type Actor, AppError, type Classification, classificationRank } from '@osprey/contract';
import { ceilingOf } from '../../base/access/actors.ts';
import type { Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import type { OpenReads } from '../../base/access/open-reads.ts';
import type { LiveRights } from '../../base/items/live-rights.ts';
import type { MissionFacts } from '../../base/items/mission-facts.ts';
import type { PlatformFacts } from '../../base/items/platform-facts.ts';
import { groupModes, type LiveMode, liveModesFor } from './live-modes.ts';
import type { RecorderMirror } from './mirror.ts';
import type { RecordingKeeper } from './recording-keeper.ts';

/** A live sensor that the viewer may watch now. */
export type Watched = {
  sensorId: string;
  platform: PlatformFacts;
  /** Mission that the sensor is being recorded into; null if it is not being recorded. */
  mission: MissionFacts | null;
  /** Item of the audit row: the mission if it is recorded, otherwise the platform. */
  item: { id: string; securityClassification: Classification; usergroups: readonly string[] };
};

export type Watcher = { actor: Actor; credentialId: string | null; close: () => void };

export type LiveAccess = ReturnType<typeof liveAccess>;

export type LiveAccessDeps = {
  db: Db;
  live: Pick<LiveRights, 'account' | 'platform' | 'platformOf' | 'mission'>;
  mirror: Pick<RecorderMirror, 'runningOf' | 'recordedAs'>;
  keeper: Pick<RecordingKeeper, 'isWritten'>;
  reads: Pick<OpenReads, 'add'>;
};

/**
 * Decides who may watch a live sensor: users who may watch its platform and, while it is being recorded, may read the
 * mission. So a recording can restrict the viewers.
 */
export function liveAccess({ db, live, mirror, keeper, reads }: LiveAccessDeps) {
  /** Checks from cached rights. @throws AppError notFound, for hidden and missing sensors alike; liveStarting */
  async function mayWatch(actor: Actor, sensorId: string): Promise<Watched> {
    const platformId = await live.platformOf(sensorId);
    const platform = platformId === null ? null : await live.platform(platformId);
    if (platform === null) throw new AppError('notFound');
    authorize(actor, 'platform.watch', platform);
    const recorded = mirror.recordedAs(sensorId);
    if (recorded === null) return { sensorId, platform, mission: null, item: platform };
    const mission = await live.mission(recorded.recording.missionId);
    // The mission was deleted during the recording, or its row is not written yet, so that its rights are unknown.
    if (mission === null)
      throw new AppError(keeper.isWritten(recorded.recording.missionId) ? 'notFound' : 'liveStarting');
    authorize(actor, 'mission.read', mission);
    return { sensorId, platform, mission, item: higher(mission, platform) };
  }

  /**
   * Begins to watch: `close` is called when the right is lost, including when a recording with fewer permitted viewers
   * begins.
   *
   * @throws AppError notFound, liveStarting
   */
  async function watch(watcher: Watcher, sensorId: string): Promise<Watched & { end: () => void }> {
    const watched = await mayWatch(watcher.actor, sensorId);
    const end = note(watcher, watched);
    try {
      // Check again, now that lost rights are reported: the right may have been lost just before.
      const account = await live.account(watcher.actor.id, ceilingOf(watcher.actor));
      if (account === null) throw new AppError('notFound');
      return { ...(await mayWatch(account.actor, sensorId)), end };
    } catch (error) {
      end();
      throw error;
    }
  }

  function note({ actor, credentialId, close }: Watcher, { sensorId, platform, item }: Watched): () => void {
    return reads.add({
      userId: actor.id,
      credentialId,
      ceiling: ceilingOf(actor),
      close,
      itemId: platform.id,
      also: () => {
        const recorded = mirror.recordedAs(sensorId);
        return recorded === null ? [] : [recorded.recording.missionId];
      },
      securityClassification: item.securityClassification,
    });
  }

  return {
    mayWatch,
    watch,
    /** Returns the viewing modes, in addition to HLS, that the actor's usergroups allow on a platform. */
    modes: async (actor: Actor, platform: PlatformFacts): Promise<LiveMode[]> =>
      liveModesFor(actor, platform, await groupModes(db, actor)),
  };
}

function higher(mission: MissionFacts, platform: PlatformFacts): Watched['item'] {
  const label = (facts: MissionFacts | PlatformFacts) => classificationRank(facts.securityClassification);
  const { id, usergroups } = mission;
  const { securityClassification } = label(platform) > label(mission) ? platform : mission;
  return { id, usergroups, securityClassification };
}
