import { Readable } from 'node:stream';
import {
  AIS_EXPORT_MAX,
  deleteAisTargets,
  deleteVesselInfo,
  exportAisTargets,
  getAisFrame,
  getAisSpan,
  getAisTrail,
  listAisSources,
  listAisTargets,
  listAisVessels,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { about } from '../../base/audit/about.ts';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { visible } from '../../base/items/visibility.ts';
import { shipsAt } from './at-time.ts';
import { contentTypes, exportName, exportText } from './export.ts';
import type { AisLiveState } from './live-state.ts';
import { aisReads } from './read.ts';
import type { AisReadSessions } from './read-sessions.ts';
import { receiversOf } from './receivers.ts';
import { aisRemoval } from './remove.ts';
import { listedIn } from './ship-lists/rows.ts';
import { frameOf } from './ship-messages.ts';
import { highestLabel, sourcesFor } from './sources.ts';

export type AisRoutesDeps = Http & {
  db: Kysely<Database>;
  state: AisLiveState;
  sessions: AisReadSessions;
  keepDays: number;
  /** Whether the licence and the configuration allow ships at all. */
  isOn: () => boolean;
  /** Called after ships were deleted. */
  deleted: () => void;
};

/** Serves ships: their list, trails, exports and deletion. The rows are limited to sources that the actor may read. */
export function aisRoutes(deps: AisRoutesDeps): void {
  const { db, sessions } = deps;
  const reads = aisReads(db);
  const removal = aisRemoval(db);

  callRoute(deps, listAisTargets, async ({ input: { query }, actor, audit, reply }) => {
    if (!deps.isOn()) return [];
    const { list, ...wish } = query;
    const only = await listedIn(db, actor, list);
    const sources = await sourcesFor(db, actor, query.mission);
    await sessions.read(actor.id, sources, audit);
    const { rows, total, next } = await reads.page(sources, { ...wish, only });
    if (next !== null) reply.header('x-next-after', String(next));
    if (total !== null) reply.header('x-total-count', String(total));
    return rows;
  });

  callRoute(deps, getAisTrail, async ({ input: { params, query }, actor, audit }) => {
    const sources = deps.isOn() ? await sourcesFor(db, actor, query.mission) : [];
    await sessions.read(actor.id, sources, audit);
    return reads.trail(sources, { ...query, ...params });
  });

  callRoute(deps, getAisFrame, async ({ input: { query }, actor, audit, reply }) => {
    const { minutes, time, mission, list, ...area } = query;
    const only = await listedIn(db, actor, list);
    const sources = deps.isOn() ? await sourcesFor(db, actor, mission) : [];
    await sessions.read(actor.id, sources, audit);
    const view = { area, minutes, mission: mission ?? null, only };
    const bytes =
      time === undefined
        ? frameOf(deps.state, sources, view, deps.nowUs())
        : await shipsAt(db, sources, { area, minutes, time, only });
    reply.header('cache-control', 'no-store');
    reply.type('application/octet-stream');
    return Readable.from([Buffer.from(bytes)]);
  });

  callRoute(deps, listAisVessels, async ({ input: { query }, actor, audit }) => {
    const sources = deps.isOn() ? await sourcesFor(db, actor, query.mission) : [];
    await sessions.read(actor.id, sources, audit);
    return reads.vessels(sources, query.mmsi);
  });

  callRoute(deps, listAisSources, async ({ actor }) => {
    if (!deps.isOn()) {
      return { receivers: [], missions: [], securityClassification: highestLabel([]), keepDays: deps.keepDays };
    }
    const heard = await sourcesFor(db, actor, undefined);
    const ids = [...new Set(heard.flatMap(({ missionId }) => missionId ?? []))];
    const [receivers, missions] = await Promise.all([
      receiversOf(db, actor),
      ids.length === 0
        ? []
        : visible(db, actor)
            .where('missions.id', 'in', ids)
            .select(['missions.id as _id', 'missions.name'])
            .orderBy('missions.name')
            .execute(),
    ]);
    return { receivers, missions, securityClassification: highestLabel(heard), keepDays: deps.keepDays };
  });

  callRoute(deps, exportAisTargets, async ({ input: { query }, actor, audit, reply }) => {
    const { format, list, ...wish } = query;
    const only = await listedIn(db, actor, list);
    const sources = deps.isOn() ? await sourcesFor(db, actor, wish.mission) : [];
    const label = highestLabel(sources);
    const rows = await reads.all(sources, { ...wish, only, limit: AIS_EXPORT_MAX });
    await audit.write({ action: 'ais.export', itemLabel: label, result: `${format}: ${rows.length} rows` });
    reply.header('content-disposition', `attachment; filename="${exportName(format, label, deps.nowUs())}"`);
    reply.header('cache-control', 'no-store');
    reply.type(contentTypes[format]);
    return Readable.from(exportText(format, rows, label));
  });

  callRoute(deps, getAisSpan, async ({ input: { query }, actor }) => removal.span(actor, query));

  callRoute(deps, deleteAisTargets, async ({ input: { query }, actor, audit }) => {
    const { reason, ...wish } = query;
    const { positions, label } = await removal.targets(actor, wish);
    const result = `${positions} positions${spanText(wish)}`;
    await audit.write({
      action: 'ais.delete',
      ...about(wish.mission, label),
      result,
      ...(reason !== undefined && { reason }),
    });
    deps.deleted();
    return { message: 'Ais targets deleted' };
  });

  callRoute(deps, deleteVesselInfo, async ({ input: { query }, actor, audit }) => {
    const { vessels, label } = await removal.vessels(actor, query);
    await audit.write({
      action: 'ais.delete',
      ...about(query.mission, label),
      result: `static data of ${vessels} stations`,
      ...(query.reason !== undefined && { reason: query.reason }),
    });
    deps.deleted();
    return { message: 'Vessel Info deleted' };
  });
}

const spanText = ({ start, end }: { start?: number | undefined; end?: number | undefined }): string =>
  start === undefined && end === undefined ? '' : ` from ${iso(start) ?? 'the beginning'} to ${iso(end) ?? 'now'}`;

const iso = (us: number | undefined): string | undefined =>
  us === undefined ? undefined : new Date(us / 1000).toISOString();
