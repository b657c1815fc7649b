import { emptyBin, holdMission, listBin, releaseMission } from '@osprey/contract';
import { auditedItem } from '../../base/audit/item-notes.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { missionBin } from './bin.ts';
import type { MissionChanges } from './changes.ts';
import { factsOf } from './rows.ts';

export type BinRoutesDeps = Http & {
  bin: ReturnType<typeof missionBin>;
  changes: MissionChanges;
  changed: (noun: 'missions', ids: string[]) => void;
};

/** Routes of the bin, and of the holds that keep missions out of it. */
export function binRoutes(deps: BinRoutesDeps): void {
  const { bin, changes, changed } = deps;

  callRoute(deps, listBin, ({ actor }) => bin.list(actor));

  callRoute(deps, emptyBin, async ({ input: { body }, actor, audit }) => {
    const rows = await bin.empty(actor, body.missions);
    for (const row of rows) await audit.write({ action: 'bin.empty', ...auditedItem(factsOf(row)) });
    return { message: rows.length === 0 ? 'Nothing was removed.' : `${rows.length} mission(s) removed for good.` };
  });

  callRoute(deps, holdMission, async ({ input: { params, body }, actor, audit }) => {
    const row = await changes.hold(actor, params.mission, body.reason);
    await audit.write({ action: 'mission.hold', ...auditedItem(factsOf(row)), reason: body.reason });
    changed('missions', [row.id]);
    return { message: `Mission ${row.name} is on hold.` };
  });

  callRoute(deps, releaseMission, async ({ input: { params }, actor, audit }) => {
    const row = await changes.hold(actor, params.mission, null);
    await audit.write({ action: 'mission.release', ...auditedItem(factsOf(row)) });
    changed('missions', [row.id]);
    return { message: `Mission ${row.name} is no longer on hold.` };
  });
}
