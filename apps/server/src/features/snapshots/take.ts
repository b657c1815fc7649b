import { createHash } from 'node:crypto';
import { type AccessFacts, type Actor, AppError, type FrameAnchor, type newSnapshot } from '@osprey/contract';
import type { z } from 'zod';
import type { Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { isLabelBelow, isWider, refuseBeyondMission } from '../../base/items/derived.ts';
import { type MissionFacts, missionFacts } from '../../base/items/mission-facts.ts';
import { keepMission } from '../../base/items/missions.ts';
import { overlaysKey } from '../../base/storage/snapshot-overlays.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { IndexedFile } from '../../media/index/sensor-index.ts';
import type { GrowingFrame } from './growing-frame.ts';
import { type BrowserPictures, browserPicture } from './picture.ts';
import type { SnapshotRepository, StoredFrame } from './repository.ts';
import { type FrameTelemetry, placeOf } from './telemetry-at.ts';

/** A sensor of a mission that the actor may read, with its files and their times. */
export type SourceSensor = { id: string; name: string; mission: MissionFacts; files: readonly IndexedFile[] };

/** Fields entered for the document. */
export type DocumentFields = {
  title: string;
  description: string;
  documentType: 'Image';
  platformName: string;
  securityClassification: AccessFacts['securityClassification'];
  audience: AccessFacts['audience'];
  usergroups: string[];
  restricted: boolean;
  tags: string[];
  geometry: ReturnType<typeof placeOf>;
};

export type TakeDeps = {
  snapshots: Pick<SnapshotRepository, 'liveSensor' | 'write'>;
  /** @throws AppError notFound */
  findSensor: (actor: Actor, mission: string, sensor: string) => Promise<SourceSensor>;
  anchors: {
    at: (sensorId: string, utcUs: number) => Promise<FrameAnchor | null>;
    times: (sensorId: string, anchors: readonly FrameAnchor[]) => Promise<(number | null)[]>;
  };
  /** Decodes the frame as JPEG; null if the server cannot. */
  decode: (sensorId: string, anchor: FrameAnchor) => Promise<Buffer | null>;
  /**
   * Decodes a frame of a running recording; null if the sensor is not being recorded, or the server cannot decode the
   * frame.
   */
  growing: (sensorId: string, timeUs: number) => Promise<GrowingFrame | null>;
  telemetryAt: (sensor: SourceSensor, timeUs: number) => Promise<FrameTelemetry | null>;
  browser: BrowserPictures;
  storage: Pick<Storage, 'put' | 'remove'>;
  /** Creates the document; `also` writes in the same transaction. */
  createDocument: (
    by: By,
    picture: { fileName: string; bytes: Buffer },
    fields: DocumentFields,
    also: (tx: Db, documentId: string) => Promise<void>,
  ) => Promise<{ id: string }>;
};

type By = { actor: Actor; audit: Pick<RequestAudit, 'write' | 'read'> };
type Requested = z.output<typeof newSnapshot>;

/** Creates a document from one frame. Returns its id. @throws AppError */
export function takeSnapshot(deps: TakeDeps, by: By, requested: Requested): Promise<string> {
  return requested.missionName === '' ? ofLive(deps, by, requested) : ofMission(deps, by, requested);
}

async function ofMission(deps: TakeDeps, by: By, requested: Requested): Promise<string> {
  const sensor = await deps.findSensor(by.actor, requested.missionName, requested.sensorName);
  const { mission } = sensor;
  const rights = rightsOf(requested, mission);
  refuseBeyondMission(mission, rights);
  await by.audit.read('snapshot.create', mission);

  const anchor = requested.frame ?? (await deps.anchors.at(sensor.id, requested.timestamp));
  const [time = null] = anchor ? await deps.anchors.times(sensor.id, [anchor]) : [];
  if (requested.frame && time === null) throw new AppError('invalid', { frame: 'The sensor does not show this frame' });
  const growing = anchor ? null : await deps.growing(sensor.id, requested.timestamp);
  const decoded = growing?.picture ?? (anchor && (await deps.decode(sensor.id, anchor)));
  const bytes = decoded ?? (await fromBrowser(deps, requested));
  const takenTime = time ?? growing?.timeUs ?? requested.timestamp;
  const telemetry = growing?.telemetry ?? (await deps.telemetryAt(sensor, takenTime));
  const frame = {
    missionId: mission.id,
    sensorId: sensor.id,
    sensorName: sensor.name,
    anchor,
    takenTime,
    picture: decoded ? ('server' as const) : ('browser' as const),
    telemetry,
  };
  return keep(deps, by, { requested, rights, bytes, frame }, async (tx) => {
    // Check again under the mission's lock, since its readers may have been restricted after the first check.
    await keepMission(tx, 'authorized change', mission.id);
    const now = await missionFacts(tx, mission.id, 'authorized change');
    if (now === null) throw new AppError('notFound');
    authorize(by.actor, 'mission.read', now);
    refuseBeyondMission(now, rights);
  });
}

/**
 * Takes a snapshot of a stream that is not recorded: it gets the label and the audience of the platform, and belongs to
 * no mission.
 */
async function ofLive(deps: TakeDeps, by: By, requested: Requested): Promise<string> {
  const { platform, sensorName } = await deps.snapshots.liveSensor(
    by.actor,
    requested.platformName,
    requested.sensorName,
  );
  authorize(by.actor, 'platform.watch', platform);
  const rights = rightsOf(requested, platform);
  if (isLabelBelow(platform, rights) || isWider(platform, rights)) {
    const { name, securityClassification: label } = platform;
    const reason = `It shows platform ${name}, which is ${label}: it must be ${label} or higher, and shared with usergroups of the platform only.`;
    throw new AppError('ruleRefused', { reason });
  }
  await by.audit.read('snapshot.create', platform);
  const bytes = await fromBrowser(deps, requested);
  const frame = {
    ...{ missionId: null, sensorId: null, sensorName, anchor: null, telemetry: null },
    ...{ takenTime: requested.timestamp, picture: 'browser' as const },
  };
  return keep(deps, by, { requested, rights, bytes, frame }, async () => {});
}

const rightsOf = (requested: Requested, source: AccessFacts): AccessFacts => ({
  securityClassification: requested.securityClassification ?? source.securityClassification,
  audience: requested.audience,
  usergroups: requested.usergroups,
  draft: false,
});

async function fromBrowser({ browser }: TakeDeps, { snapshotDataUrl }: Requested): Promise<Buffer> {
  if (snapshotDataUrl !== undefined) return browserPicture(browser, snapshotDataUrl);
  throw new AppError('badFile', { reason: 'the server has no picture of this moment, and none was sent' });
}

type Made = { requested: Requested; rights: AccessFacts; bytes: Buffer; frame: Omit<StoredFrame, 'overlays'> };

async function keep(deps: TakeDeps, by: By, made: Made, check: (tx: Db) => Promise<void>): Promise<string> {
  const { requested, rights, bytes, frame } = made;
  const { title, description, platformName, restricted, tags } = requested;
  const { securityClassification, audience, usergroups } = rights;
  const fields: DocumentFields = {
    ...{ title, description, platformName, restricted, tags },
    ...{ documentType: 'Image', securityClassification, audience, usergroups: [...usergroups] },
    geometry: frame.telemetry && placeOf(frame.telemetry.values),
  };
  const drawn =
    requested.overlaysDataUrl === undefined ? null : await browserPicture(deps.browser, requested.overlaysDataUrl);
  const overlays = drawn && { sha256: createHash('sha256').update(drawn).digest('hex'), sizeBytes: drawn.byteLength };
  const placed: { key: string | null } = { key: null };
  try {
    const { id } = await deps.createDocument(
      by,
      { fileName: `${title}.jpg`, bytes },
      fields,
      async (tx, documentId) => {
        await check(tx);
        // Store the file before the row, so that a row never refers to missing bytes.
        if (drawn !== null) {
          placed.key = overlaysKey(documentId);
          await deps.storage.put(placed.key, [drawn]);
        }
        await deps.snapshots.write(tx, documentId, { ...frame, overlays });
      },
    );
    return id;
  } catch (error) {
    if (placed.key !== null) await deps.storage.remove(placed.key);
    throw error;
  }
}
