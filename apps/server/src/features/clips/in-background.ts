import type { Readable } from 'node:stream';
import { type Actor, AppError, type Classification, classificationRank } from '@osprey/contract';
import { missionFacts } from '../../base/access/mission-facts.ts';
import { asSystem } from '../../base/access/visibility.ts';
import type { ClipOrder } from '../../base/jobs/export-tasks.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { clipName } from './names.ts';
import { clipZip, manifestOf, type SensorCut } from './package.ts';
import { estimatedBytes, type PlanDeps, planCuts } from './plan.ts';

type Deps = {
  storage: Storage;
  plan: PlanDeps;
  server: { name: string; version: string };
  damaged: (fileId: string, error: unknown) => void;
  nowUs: () => number;
};

type Made = { zip: Readable; sizeBytes: number; fileName: string; label: Classification };

/** Clips of a mission that somebody ordered, as a zip that is being made; they have asked for the right before. */
export async function orderedClips(
  { storage, plan, server, damaged, nowUs }: Deps,
  actor: Actor,
  missionId: string,
  { container, cuts: ordered }: ClipOrder,
  wrote: (bytes: number) => void,
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
  const manifest = manifestOf({ server, actor, mission, span, nowUs: nowUs() });
  const cutting = { storage, rank: classificationRank(label), damaged };
  const zip = clipZip({ ...cutting, container, sensors: cuts, nowUs: nowUs(), manifest, wrote });
  const sizeBytes = cuts.flatMap(({ pieces }) => pieces).reduce((sum, piece) => sum + estimatedBytes(piece), 0);
  return { zip, sizeBytes, fileName: `${cuts[0]!.fileName}.zip`, label };
}
