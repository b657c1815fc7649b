import {
  AIS_REPORTS_MINUTES,
  AppError,
  getAisReports,
  getFilmed,
  getShipsInFrame,
  listHeard,
  PAST_DAYS_MAX,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { items } from '../../base/items/product.ts';
import { filmedWhen } from './filmed.ts';
import { heardWhen } from './heard.ts';
import { shipsInFrame } from './in-frame.ts';
import type { AisReadSessions } from './read-sessions.ts';
import { reportsNear } from './reports.ts';
import { sourcesFor } from './sources.ts';

const FILMED_SPANS = 20;

export type AisVideoRoutesDeps = Http & {
  db: Kysely<Database>;
  sessions: AisReadSessions;
  /** Whether the licence and the configuration allow ships at all. */
  isOn: () => boolean;
};

/** Serves ships in relation to video: ships that a picture shows, and times when a ship was filmed. */
export function aisVideoRoutes(deps: AisVideoRoutesDeps): void {
  const { db, sessions } = deps;

  callRoute(deps, getAisReports, async ({ input: { query }, actor, audit }) => {
    const { start: startUs, end: endUs, mission, ...area } = query;
    if (endUs < startUs || endUs - startUs > AIS_REPORTS_MINUTES * 60e6) {
      throw new AppError('invalid', { field: 'end', reason: `At most ${AIS_REPORTS_MINUTES} minutes after the start` });
    }
    const sources = deps.isOn() ? await sourcesFor(db, actor, mission) : [];
    await sessions.read(actor.id, sources, audit);
    return reportsNear(db, sources, { area, startUs, endUs });
  });

  callRoute(deps, listHeard, async ({ input: { query }, actor }) => {
    const { start: startUs, end: endUs } = query;
    if (endUs < startUs || endUs - startUs > PAST_DAYS_MAX * 86_400e6) {
      throw new AppError('invalid', { field: 'end', reason: `At most ${PAST_DAYS_MAX} days after the start` });
    }
    const sources = deps.isOn() ? await sourcesFor(db, actor, undefined) : [];
    return heardWhen(db, sources, { startUs, endUs });
  });

  callRoute(deps, getShipsInFrame, async ({ input: { query }, actor, audit }) => {
    // The requested mission must be readable. Its ships may have been received by any receiver.
    await sourcesFor(db, actor, query.mission);
    const sources = deps.isOn() ? await sourcesFor(db, actor, undefined) : [];
    await sessions.read(actor.id, sources, audit);
    await auditCoverage(db, audit, [query.mission]);
    return shipsInFrame(db, actor, { missionId: query.mission, sources });
  });

  callRoute(deps, getFilmed, async ({ input: { params, query }, actor, audit }) => {
    const sources = deps.isOn() ? await sourcesFor(db, actor, undefined) : [];
    await sessions.read(actor.id, sources, audit);
    const found = await filmedWhen(db, actor, { mmsi: params.mmsi, sources, limit: query.limit ?? FILMED_SPANS });
    await auditCoverage(
      db,
      audit,
      found.spans.map(({ missionId }) => missionId),
    );
    return found;
  });
}

/**
 * Audits that the user learned where sensors of missions above UNCLASSIFIED looked, in the same way as other reads of
 * coverage.
 */
async function auditCoverage(db: Kysely<Database>, audit: RequestAudit, ids: readonly string[]): Promise<void> {
  for (const id of new Set(ids)) {
    const facts = await items.factsOf('mission', asSystem(db, 'events'), id);
    if (facts) await audit.read('coverage.read', facts);
  }
}
