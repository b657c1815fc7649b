import { type AccessFacts, type Actor, classificationRank } from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';
import { compareSharing } from '../../base/access/sharing.ts';
import { missionFacts } from '../../base/items/mission-facts.ts';
import { sensorById } from '../../base/items/sensors.ts';
import { visible } from '../../base/items/visibility.ts';
import { refusal } from './refusal.ts';
import { factsOf, type StoredPlatform, type StoredSensor } from './stored.ts';

const PREFIX = 'replay:';
const MISSING = 'There is no such recording';

type Replay = {
  url: string;
  /** The platform that replays the recording. */
  platform: AccessFacts;
  /** The account that configures the replay; null if it was configured earlier. */
  actor: Actor | null;
};

/**
 * Returns the reason why a recording may not be replayed on a platform, as a sentence; null if it may, or if the
 * address is no replay. A replay must not show a recording to accounts that may not see it, so the platform needs a
 * suitable label and audience.
 */
export async function replayProblem(tx: Db, { url, platform, actor }: Replay): Promise<string | null> {
  if (!url.startsWith(PREFIX)) return null;
  const sensorId = url.slice(PREFIX.length);
  const missionId = await missionOf(tx, sensorId);
  const isSeen = actor === null || (await isVisible(tx, actor, missionId));
  const mission = missionId !== null && isSeen ? await missionFacts(tx, missionId, 'recorder') : null;
  if (mission === null) return MISSING;
  if (mission.draft) return 'The recording is in state Created: it is for admins alone';
  if (classificationRank(platform.securityClassification) < classificationRank(mission.securityClassification)) {
    return 'The label of the platform is below that of the recording: raise it first';
  }
  if (!compareSharing(mission, platform).widened) return null;
  return 'More people see the platform than may see the recording: share it with the usergroups of the recording alone';
}

type Sensors = {
  platform: StoredPlatform;
  sensors: readonly StoredSensor[];
  /** Returns the account that adds the recording to the platform; null if the recording is there already. */
  bringer: (url: string) => Actor | null;
};

/** Throws at the first sensor whose recording may not be replayed. @throws AppError ruleRefused */
export async function refuseReplays(tx: Db, { platform, sensors, bringer }: Sensors): Promise<void> {
  for (const { name, url } of sensors) {
    const problem = await replayProblem(tx, { url, platform: factsOf(platform), actor: bringer(url) });
    if (problem !== null) throw refusal(`${platform.name}: ${name}: ${problem}.`);
  }
}

async function missionOf(tx: Db, sensorId: string): Promise<string | null> {
  const row = await sensorById(tx, 'recorder', sensorId);
  return row?.mission_id ?? null;
}

async function isVisible(tx: Db, actor: Actor, missionId: string | null): Promise<boolean> {
  if (missionId === null) return false;
  const row = await visible(tx, actor).where('missions.id', '=', missionId).select('missions.id').executeTakeFirst();
  return row !== undefined;
}
