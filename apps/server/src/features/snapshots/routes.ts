import {
  type AccessFacts,
  type Actor,
  createSnapshot,
  type DocumentRow,
  getSnapshotMoment,
  listSnapshots,
  type PictureSource,
} from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { NamedDocumentFacts } from '../../base/items/document-facts.ts';
import type { SnapshotRepository } from './repository.ts';
import { type TakeDeps, takeSnapshot } from './take.ts';

export type SnapshotRoutesDeps = Http &
  TakeDeps & {
    snapshots: SnapshotRepository;
    /** @throws AppError notFound */
    readMission: (actor: Actor, idOrName: string) => Promise<AccessFacts & { id: string }>;
    /** Returns a document in the API format, with its facts for the audit. @throws AppError notFound */
    readDocument: (actor: Actor, id: string) => Promise<{ row: DocumentRow; facts: NamedDocumentFacts }>;
  };

export function snapshotRoutes(deps: SnapshotRoutesDeps): void {
  const { snapshots } = deps;

  callRoute(deps, createSnapshot, async ({ input: { body }, actor, audit }) => {
    authorize(actor, 'document.createAny');
    const id = await takeSnapshot(deps, { actor, audit }, body);
    return (await deps.readDocument(actor, id)).row;
  });

  callRoute(deps, getSnapshotMoment, async ({ input: { params }, actor, audit }) => {
    const frame = await snapshots.frameOf(actor, params.id);
    const { facts } = await deps.readDocument(actor, params.id);
    authorize(actor, 'document.read', facts);
    await audit.read('document.read', facts);
    const { mission, time, taken_time, telemetry, sha256 } = frame;
    return {
      mission: mission && { _id: mission.id, name: mission.name },
      sensor: { _id: mission && frame.sensor_id, name: frame.sensor_name },
      time: time ?? taken_time,
      shown: time !== null,
      picture: frame.picture as PictureSource,
      overlaysSha256: frame.overlays_sha256,
      telemetry,
      sha256,
    };
  });

  callRoute(deps, listSnapshots, async ({ input: { query }, actor, audit }) => {
    const mission = await deps.readMission(actor, query.missionIdOrName);
    authorize(actor, 'mission.read', mission);
    await audit.read('snapshot.list', mission);
    return snapshots.ofMission(actor, mission.id);
  });
}
