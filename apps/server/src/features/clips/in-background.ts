import { createHash } from 'node:crypto';
import {
  type Actor,
  AppError,
  type Classification,
  type ClipManifest,
  classificationOf,
  classificationRank,
} from '@osprey/contract';
import { missionFacts } from '../../base/items/mission-facts.ts';
import { sensorsOfMission } from '../../base/items/sensors.ts';
import { CLIP_CUTTING, type ClipOrder, exportKey } from '../../base/jobs/export-tasks.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { clipName, folderName, severalName } from './names.ts';
import { type ClipFile, clipFiles, lastEntries, manifestOf, type SensorCut } from './package.ts';
import { estimatedBytes, type PlanDeps, planCuts } from './plan.ts';
import { type Interrupted, resumedZip } from './resumed-zip.ts';

type Deps = {
  storage: Storage;
  plan: PlanDeps;
  server: { name: string; version: string };
  damaged: (fileId: string, error: unknown) => void;
  nowUs: () => number;
};

/** A zip to be made, with the approximate number of bytes still missing and its file name. */
type Made = {
  sizeBytes: number;
  fileName: string;
  label: Classification;
  keptBytes: number;
  /** Writes the zip to the storage, continuing where an earlier attempt ended. */
  store: (making: Interrupted) => Promise<{ sizeBytes: number }>;
};

/**
 * Plans the clips of an order that is made in the background. If there are several missions, each gets its own
 * directory. The caller has checked the rights.
 */
export async function orderedClips(
  deps: Deps,
  actor: Actor,
  missionIds: readonly string[],
  { taskId, order }: { taskId: string; order: ClipOrder },
): Promise<Made> {
  const { storage, nowUs } = deps;
  const parts: Part[] = [];
  for (const missionId of missionIds) parts.push(await partOf(deps, actor, missionId, order));
  const cuts = parts.flatMap((part) => part.cuts);
  if (cuts.length < order.cuts.length) throw new AppError('ruleRefused', { reason: REMOVED });
  const folders = parts.length === 1 ? [''] : foldersOf(parts.map(({ folder }) => folder));
  const zip = await resumedZip({
    ...{ storage, taskId, nowUs: nowUs() },
    recipe: parts.map(({ recipe }) => recipe).join(),
    filesOf: (startedUs) => parts.flatMap((part, i) => inFolder(folders[i]!, part.filesOf(startedUs))),
    lastOf(startedUs, clips) {
      let at = 0;
      return parts.flatMap((part, i) => {
        const end = at + part.filesOf(startedUs).length;
        const own = clips.slice(at, end);
        at = end;
        return inFolder(folders[i]!, lastEntries(part.manifestAt(startedUs), own));
      });
    },
  });
  const label = classificationOf(Math.max(...parts.map(({ rank }) => rank)));
  const name = parts.length === 1 ? cuts[0]!.fileName : severalName({ label, clips: cuts.length, nowUs: nowUs() });
  const completeBytes = cuts.flatMap(({ pieces }) => pieces).reduce((sum, piece) => sum + estimatedBytes(piece), 0);
  return {
    sizeBytes: Math.max(0, completeBytes - zip.keptBytes),
    keptBytes: zip.keptBytes,
    ...{ fileName: `${name}.zip`, label },
    store: (making) => zip.store(exportKey(taskId), making),
  };
}

const REMOVED = 'A sensor of these clips was removed.';

/** Clips of one mission. */
type Part = {
  rank: number;
  folder: string;
  cuts: SensorCut[];
  recipe: string;
  filesOf: (startedUs: number) => ClipFile[];
  manifestAt: (us: number) => Omit<ClipManifest, 'clips'>;
};

async function partOf(
  { storage, plan, server, damaged }: Deps,
  actor: Actor,
  missionId: string,
  { container, cuts: ordered }: ClipOrder,
): Promise<Part> {
  const mission = await missionFacts(plan.db, missionId, 'export');
  if (mission === null) throw new AppError('notFound');
  const label = mission.securityClassification;
  const rows = await sensorsOfMission(plan.db, 'export', missionId);
  const own = ordered.filter(({ sensorId }) => rows.some(({ id }) => id === sensorId));
  if (own.length === 0) throw new AppError('ruleRefused', { reason: REMOVED });
  const cuts: SensorCut[] = [];
  for (const { sensorId, inUs, outUs } of own) {
    const row = rows.find(({ id }) => id === sensorId)!;
    const sensor = { id: row.id, indexKey: row.index_key, shiftUs: row.time_shift };
    const pieces = await planCuts(plan, sensor, [inUs, outUs]);
    if (pieces.length === 0) {
      throw new AppError('ruleRefused', { reason: `Sensor ${row.name} recorded nothing between In and Out.` });
    }
    const fileName = clipName({ label, mission: mission.name, sensor: row.name, inUs, outUs });
    cuts.push({ id: row.id, name: row.name, fileName, pieces });
  }
  const span = [Math.min(...own.map(({ inUs }) => inUs)), Math.max(...own.map(({ outUs }) => outUs))] as const;
  const rank = classificationRank(label);
  const manifestAt = (us: number) => manifestOf({ server, actor, mission, span, nowUs: us });
  return {
    ...{ rank, cuts, manifestAt },
    folder: folderName({ label, mission: mission.name }),
    recipe: recipeOf({ ...manifestAt(0), container, cuts }),
    filesOf: (us) => clipFiles({ storage, rank, damaged, container, sensors: cuts, manifest: manifestAt(us) }),
  };
}

/** Returns directory names; two missions with the same name get different ones. */
function foldersOf(names: readonly string[]): string[] {
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((one) => one === name).length;
    return before === 0 ? `${name}/` : `${name}_${before + 1}/`;
  });
}

const inFolder = <File extends { name: string }>(folder: string, files: readonly File[]): File[] =>
  files.map((file) => ({ ...file, name: `${folder}${file.name}` }));

/**
 * Returns a hash of everything that determines the result's bytes. Since another label, time or file yields other
 * bytes, a file started with another hash is not continued.
 */
function recipeOf({ cuts, ...said }: { cuts: readonly SensorCut[]; container: ClipOrder['container'] }): string {
  const pieces = cuts.map(({ pieces: own, ...cut }) => [cut, own.map((piece) => [piece, piece.utcOf(0)])]);
  return createHash('sha256')
    .update(JSON.stringify([CLIP_CUTTING, said, pieces]))
    .digest('hex');
}
