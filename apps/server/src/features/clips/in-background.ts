import { createHash } from 'node:crypto';
import { type Actor, AppError, type Classification, classificationRank } from '@osprey/contract';
import { missionFacts } from '../../base/access/mission-facts.ts';
import { asSystem } from '../../base/access/visibility.ts';
import { type ClipOrder, exportKey } from '../../base/jobs/export-tasks.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { clipName } from './names.ts';
import { clipFiles, manifestOf, type SensorCut } from './package.ts';
import { estimatedBytes, type PlanDeps, planCuts } from './plan.ts';
import { type Interrupted, resumedZip } from './resumed-zip.ts';

type Deps = {
  storage: Storage;
  plan: PlanDeps;
  server: { name: string; version: string };
  damaged: (fileId: string, error: unknown) => void;
  nowUs: () => number;
};

/** A zip that is to be made: about how many bytes of it are still missing, and how it is called. */
type Made = {
  sizeBytes: number;
  fileName: string;
  label: Classification;
  keptBytes: number;
  /** Writes it to the storage, from where an earlier try ended. */
  store: (making: Interrupted) => Promise<{ sizeBytes: number }>;
};

/** Clips of a mission that somebody ordered; they have asked for the right before. */
export async function orderedClips(
  { storage, plan, server, damaged, nowUs }: Deps,
  actor: Actor,
  missionId: string,
  { taskId, order: { container, cuts: ordered } }: { taskId: string; order: ClipOrder },
): Promise<Made> {
  const mission = await missionFacts(plan.db, missionId, 'export');
  if (mission === null) throw new AppError('notFound');
  const label = mission.securityClassification;
  const rows = await asSystem(plan.db, 'export')
    .selectFrom('sensors')
    .select(['id', 'name', 'index_key', 'time_shift'])
    .where('mission_id', '=', missionId)
    .execute();
  const cuts: SensorCut[] = [];
  for (const { sensorId, inUs, outUs } of ordered) {
    const row = rows.find(({ id }) => id === sensorId);
    if (row === undefined) throw new AppError('ruleRefused', { reason: 'A sensor of these clips was removed.' });
    const sensor = { id: row.id, indexKey: row.index_key, shiftUs: row.time_shift };
    const pieces = await planCuts(plan, sensor, [inUs, outUs]);
    if (pieces.length === 0) {
      throw new AppError('ruleRefused', { reason: `Sensor ${row.name} recorded nothing between In and Out.` });
    }
    const fileName = clipName({ label, mission: mission.name, sensor: row.name, inUs, outUs });
    cuts.push({ id: row.id, name: row.name, fileName, pieces });
  }
  const span = [Math.min(...ordered.map(({ inUs }) => inUs)), Math.max(...ordered.map(({ outUs }) => outUs))] as const;
  const cutting = { storage, rank: classificationRank(label), damaged };
  const wholeBytes = cuts.flatMap(({ pieces }) => pieces).reduce((sum, piece) => sum + estimatedBytes(piece), 0);
  const manifestAt = (us: number) => manifestOf({ server, actor, mission, span, nowUs: us });
  const zip = await resumedZip({
    ...{ storage, taskId, nowUs: nowUs() },
    recipe: recipeOf({ ...manifestAt(0), container, cuts }),
    filesOf: (startedUs) => clipFiles({ ...cutting, container, sensors: cuts, manifest: manifestAt(startedUs) }),
    manifestAt,
  });
  return {
    sizeBytes: Math.max(0, wholeBytes - zip.keptBytes),
    keptBytes: zip.keptBytes,
    ...{ fileName: `${cuts[0]!.fileName}.zip`, label },
    store: (making) => zip.store(exportKey(taskId), making),
  };
}

/** Another label, time or file makes other bytes: what was made by another recipe is not gone on with. */
function recipeOf({ cuts, ...said }: { cuts: readonly SensorCut[]; container: ClipOrder['container'] }): string {
  const pieces = cuts.map(({ pieces: own, ...cut }) => [cut, own.map((piece) => [piece, piece.utcOf(0)])]);
  return createHash('sha256')
    .update(JSON.stringify([said, pieces]))
    .digest('hex');
}
