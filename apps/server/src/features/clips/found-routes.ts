import { AppError, FOUND_CLIPS_SECONDS_MAX, orderFoundClips } from '@osprey/contract';
import { callRoute } from '../../base/http/call-route.ts';
import { beginExport } from '../../base/jobs/export-tasks.ts';
import { checkExportRoom } from '../../base/storage/export-room.ts';
import { mayExport } from './export-rights.ts';
import { estimatedBytes, planCuts } from './plan.ts';
import type { ClipRoutesDeps } from './routes.ts';
import type { ClippedMission } from './rows.ts';

type Deps = Pick<ClipRoutesDeps, 'plan' | 'slots' | 'exportRefusal' | 'sensorOf'> & Parameters<typeof callRoute>[0];
type Cut = { sensorId: string; inUs: number; outUs: number };

const refusal = (reason: string) => new AppError('ruleRefused', { reason });

/** Serves clips of time spans found by a search, from several missions, ordered as one export. */
export function foundClipRoutes(deps: Deps & Pick<ClipRoutesDeps, 'storage'>): void {
  callRoute(deps, orderFoundClips, async ({ input: { body }, actor, audit }) => {
    const seconds = body.spans.reduce((sum, { from, to }) => sum + (to - from) / 1e6, 0);
    if (seconds > FOUND_CLIPS_SECONDS_MAX) {
      throw refusal(`These clips are longer than ${FOUND_CLIPS_SECONDS_MAX / 3600} hours in total. Choose fewer.`);
    }
    const missions = new Map<string, ClippedMission>();
    const cuts: Cut[] = [];
    let sizeBytes = 0;
    for (const { missionId, sensorId, from: inUs, to: outUs } of body.spans) {
      const sensor = await deps.sensorOf(actor, missionId, sensorId);
      mayExport(actor, sensor.mission);
      if (deps.plan.recording(sensor.id) !== null) continue;
      const pieces = await planCuts(deps.plan, sensor, [inUs, outUs]);
      if (pieces.length === 0) continue;
      missions.set(sensor.mission.id, sensor.mission);
      cuts.push({ sensorId: sensor.id, inUs, outUs });
      sizeBytes += pieces.reduce((sum, piece) => sum + estimatedBytes(piece), 0);
    }
    const reason = deps.exportRefusal();
    if (reason !== null) throw refusal(reason);
    if (cuts.length === 0) throw refusal('None of these times has pictures that can be cut.');
    await checkExportRoom(deps.storage, sizeBytes);
    await deps.slots.check(actor.id);
    for (const { id: itemId, securityClassification: itemLabel, usergroups } of missions.values()) {
      await audit.write({
        ...{ action: 'clip.export', itemId, itemLabel, usergroups, result: 'zip in the background' },
        reason: 'times found by place',
      });
    }
    const title = [...missions.values()].map(({ name }) => name).join(', ');
    const input = { missions: [...missions.keys()], clips: { container: body.format ?? 'ts', cuts } };
    const exportId = await beginExport({ db: deps.plan.db, storage: deps.storage, nowUs: deps.nowUs }, actor, {
      title,
      input,
    });
    return { id: exportId, clips: cuts.length, left: body.spans.length - cuts.length };
  });
}
