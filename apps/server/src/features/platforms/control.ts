import {
  type Actor,
  AppError,
  classificationOf,
  type LicenceOption,
  type PlatformControl,
  type PlatformControlled,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import { refuseSharing } from '../../base/access/sharing.ts';
import type { Database } from '../../base/db/schema.ts';
import type { JobQueue } from '../../base/jobs/queue.ts';
import { spaceLevel } from '../../base/storage/space-rule.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { RecorderMirror } from '../../live/rows/mirror.ts';
import { writeRecording } from '../../live/rows/recording-rows.ts';
import type { Recording } from '../../recorder-wire/protocol.ts';
import { addedSensors, newRecording, selectedPlatform, selectedSensors } from './begin-recording.ts';
import type { LivePlatforms } from './live-platforms.ts';
import { refusal } from './refusal.ts';
import { refuseReplays } from './replayed.ts';
import { factsOf, type StoredPlatform, type StoredSensor } from './stored.ts';

export type ControlDeps = {
  db: Kysely<Database>;
  mirror: Pick<RecorderMirror, 'connected' | 'request' | 'running' | 'runningOf' | 'source'>;
  platforms: LivePlatforms;
  storage: Pick<Storage, 'space'>;
  queue: Pick<JobQueue, 'enqueue'>;
  licence: () => { platformsMax: number | null; options: ReadonlySet<LicenceOption> };
  /** @throws AppError missionNameTaken */
  claimMissionName: (tx: Db, actor: Actor, name: string) => Promise<void>;
  nowUs: () => number;
};

/** Result of a command, for the response and for the audit. */
export type Controlled = {
  answer: PlatformControlled;
  platform: StoredPlatform;
  /** Action name in the audit log. */
  action: 'platform.switch' | 'platform.record' | 'platform.stop';
  sensors: StoredSensor[];
};

export type PlatformControlling = ReturnType<typeof platformControl>;

/** Groups the functions with which an actor switches sources, and starts and stops recordings. */
export function platformControl(deps: ControlDeps) {
  const { db, mirror } = deps;
  /**
   * Platforms whose recording is being started, so that two concurrent requests cannot exceed the licence's limit
   * together.
   */
  const beginning = new Set<string>();

  /** @throws AppError notFound, forbidden, unavailable, ruleRefused, and the errors of creating a mission */
  async function control(actor: Actor, command: 'start' | 'stop', body: PlatformControl): Promise<Controlled> {
    const platform = selectedPlatform(await deps.platforms.stored(actor), body);
    authorize(actor, 'platform.control', factsOf(platform));
    const sensors = selectedSensors(platform, body.stopMission ? [] : body.sensors);
    const asking = { actor, body, platform, sensors };
    if (command === 'stop') return stop(asking);
    // The rights to a replayed recording may have changed since the platform was configured.
    await refuseReplays(db, { platform, sensors, bringer: () => null });
    return body.record ? record(asking) : start(asking);
  }

  type Asking = { actor: Actor; body: PlatformControl; platform: StoredPlatform; sensors: StoredSensor[] };

  async function start({ body, platform, sensors }: Asking): Promise<Controlled> {
    refuseUnlicensed();
    await switchSources(db, sensors, true);
    for (const { id } of sensors) {
      if (mirror.source(id)?.aside) await ask({ kind: 'retry', sensorId: id });
    }
    const message = `${subjectOf(platform, sensors, body)} started.`;
    return { answer: { message, mission: null, warning: null }, platform, action: 'platform.switch', sensors };
  }

  async function stop({ actor, body, platform, sensors }: Asking): Promise<Controlled> {
    const running = await readable(actor, platform);
    const isComplete = sensors.length === platform.sensors.length;
    if (running !== null) {
      const only = isComplete ? null : sensors.map(({ id }) => id);
      await ask({ kind: 'stop', missionId: running.missionId, sensors: only });
    }
    if (body.record === false) await switchSources(db, sensors, false);
    const mission = running && { _id: running.missionId, name: running.missionName };
    const isIdle = running === null && body.record !== false;
    const message = isIdle
      ? `Platform ${platform.name} records nothing.`
      : `${subjectOf(platform, sensors, body)} stopped.`;
    return { answer: { message, mission, warning: null }, platform, action: 'platform.stop', sensors };
  }

  async function record(asking: Asking): Promise<Controlled> {
    const { actor, platform } = asking;
    refuseUnlicensed();
    const running = await readable(actor, platform);
    if (running !== null) return addSensors(asking, running);
    // The recording goes into a mission that the caller may not read, so the message reveals no more.
    if (mirror.runningOf(platform.id) !== null) throw refusal(`Platform ${platform.name} is in use.`);
    if (spaceLevel(await deps.storage.space()) === 'noRecording') throw new AppError('diskFull');
    // No await from this check until `beginning.add`, since two concurrent requests could otherwise both pass.
    if (beginning.has(platform.id)) throw refusal(`Platform ${platform.name} is already being started.`);
    refuseAboveLicence(platform.id);
    beginning.add(platform.id);
    return begin(asking).finally(() => beginning.delete(platform.id));
  }

  async function begin({ actor, body, platform, sensors }: Asking): Promise<Controlled> {
    const { recording, warning } = newRecording(platform, { body, sensors, nowUs: deps.nowUs() });
    const facts = {
      securityClassification: classificationOf(recording.classification),
      audience: recording.audience,
      usergroups: recording.usergroups,
      draft: false,
    };
    authorize(actor, 'mission.create', facts);
    await db.transaction().execute(async (tx) => {
      await refuseSharing(tx, actor, facts, platform.usergroups);
      await deps.claimMissionName(tx, actor, recording.missionName);
      await writeRecording(deps, tx, { recording, authorId: actor.id });
      await switchSources(tx, sensors, true);
      // Sent as the last step of the transaction: if the recorder refuses, no row remains; if the commit fails, the
      // rows are written again from the recorder's journal.
      await ask({ kind: 'record', recording, preRoll: true });
    });
    const mission = { _id: recording.missionId, name: recording.missionName };
    const message = `Mission ${recording.missionName} added.`;
    return { answer: { message, mission, warning }, platform, action: 'platform.record', sensors };
  }

  async function addSensors({ body, platform, sensors }: Asking, running: Recording): Promise<Controlled> {
    const { recording, added } = addedSensors(running, sensors);
    if (added.length > 0) await ask({ kind: 'record', recording, preRoll: false });
    await switchSources(db, sensors, true);
    const mission = { _id: running.missionId, name: running.missionName };
    const message = `${subjectOf(platform, sensors, body)} started.`;
    return { answer: { message, mission, warning: null }, platform, action: 'platform.record', sensors };
  }

  /** Returns the running recording of the platform if the actor may know about it. */
  async function readable(actor: Actor, platform: StoredPlatform): Promise<Recording | null> {
    return (await deps.platforms.readsRecording(actor, platform.id)) ? mirror.runningOf(platform.id) : null;
  }

  /** @throws AppError unavailable, ruleRefused */
  async function ask(request: Parameters<RecorderMirror['request']>[0]): Promise<void> {
    if (!mirror.connected()) throw new AppError('unavailable');
    const reason = await mirror.request(request);
    if (reason === null) return;
    if (!mirror.connected()) throw new AppError('unavailable');
    throw /disk (?:is )?full/i.test(reason) ? new AppError('diskFull') : refusal(reason);
  }

  function refuseUnlicensed(): void {
    if (!deps.licence().options.has('live')) throw refusal('The licence does not include live streams.');
  }

  function refuseAboveLicence(platformId: string): void {
    const { platformsMax } = deps.licence();
    const recorded = new Set([...beginning, ...mirror.running().map(({ platform }) => platform.platformId)]);
    if (platformsMax === null || recorded.add(platformId).size <= platformsMax) return;
    const platforms = platformsMax === 1 ? 'one live platform' : `${platformsMax} live platforms`;
    throw refusal(`The licence allows ${platforms} at once.`);
  }

  return { control };
}

/** Stores the switch with the sensors, so that it survives a restart. */
async function switchSources(tx: Db, sensors: readonly StoredSensor[], on: boolean): Promise<void> {
  const ids = sensors.map(({ id }) => id);
  if (ids.length === 0) return;
  await asSystem(tx, 'authorized change')
    .updateTable('platform_sensors')
    .set({ switched: on })
    .where('id', 'in', ids)
    .where((eb) => eb('switched', 'is distinct from', on))
    .execute();
}

function subjectOf(platform: StoredPlatform, sensors: readonly StoredSensor[], body: PlatformControl): string {
  if (body.sensors.length === 0 || body.stopMission) return `Platform ${platform.name}`;
  return `Sensor ${sensors.map(({ name }) => name).join(', ')}`;
}
