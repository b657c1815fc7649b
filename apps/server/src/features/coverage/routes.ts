import {
  AppError,
  type Classification,
  classificationOf,
  countByPlace,
  findByPlace,
  getCoverageState,
  getLastSeenTile,
  getLookback,
  getSeenExtent,
  listFrames,
  listRecordings,
  PAST_DAYS_MAX,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { ReadSessions } from '../../base/audit/read-sessions.ts';
import type { AuditedItem, RequestAudit } from '../../base/audit/request-audit.ts';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { items } from '../../base/items/product.ts';
import { askedShape } from './asked-shape.ts';
import { seenExtent } from './extent.ts';
import { countSpans, findSpans } from './find.ts';
import { readCursor } from './find-cursor.ts';
import { lastSeen } from './last-seen.ts';
import { coverageState, lookBack } from './lookback.ts';
import { framesAt, recordingsBetween } from './past.ts';
import { askedFor } from './target.ts';

const SPANS = 50;

/** Serves searches by place for the times at which sensors looked there. */
export function coverageRoutes(deps: Http & { db: Kysely<Database>; sessions: ReadSessions }): void {
  const { db, sessions, nowUs } = deps;

  /** Writes one audit row for each mission above UNCLASSIFIED, all in one commit. */
  async function auditMissions(audit: RequestAudit, missions: Iterable<AuditedItem>): Promise<void> {
    await Promise.all([...missions].map((mission) => audit.read('coverage.read', mission)));
  }

  type Read = { missionId: string; securityClassification: Classification };
  async function auditReads(audit: RequestAudit, spans: readonly Read[]): Promise<void> {
    const marked = spans.filter(({ securityClassification }) => securityClassification !== 'UNCLASSIFIED');
    const ids = [...new Set(marked.map(({ missionId }) => missionId))];
    await auditMissions(audit, (await items.factsById(db, ids)).values());
  }

  callRoute(deps, getLookback, async ({ input: { query }, actor, audit }) => {
    const { geometry, from, to, limit = SPANS } = query;
    const asked = askedShape(geometry);
    const bounds = { fromUs: from ?? Number.MIN_SAFE_INTEGER, toUs: to ?? Number.MAX_SAFE_INTEGER };
    return lookBack(db, actor, { asked, ...bounds, limit }, (missions) => auditMissions(audit, missions));
  });

  callRoute(deps, findByPlace, async ({ input: { body }, actor, audit }) => {
    const { shape, filter = {}, limit = SPANS, after } = body;
    const cursor = after === undefined ? null : readCursor(after);
    const asked = await askedFor({ db, actor, audit }, shape);
    const found = await findSpans(db, actor, { asked, filter, limit, after: cursor, nowUs: nowUs() });
    await auditReads(audit, found.spans);
    return found;
  });

  callRoute(deps, countByPlace, async ({ input: { body }, actor, audit }) => {
    const { shape, filter = {} } = body;
    const asked = await askedFor({ db, actor, audit }, shape);
    const { missions, ...counted } = await countSpans(db, actor, { asked, filter, nowUs: nowUs() });
    await sessions.read(actor.id, missions, audit);
    return counted;
  });

  callRoute(deps, getLastSeenTile, async ({ input: { query }, actor, audit, reply }) => {
    const { at = nowUs(), ...tile } = query;
    const found = await lastSeen(db, actor, { ...tile, atUs: at });
    const read = found.missions.map(({ id, rank }) => ({ id, label: classificationOf(rank) }));
    await sessions.read(actor.id, read, audit);
    reply.header('cache-control', 'private, no-store');
    return found.tile;
  });

  callRoute(deps, getSeenExtent, async ({ actor }) => ({ extent: await seenExtent(db, actor, nowUs()) }));
  callRoute(deps, getCoverageState, ({ actor }) => coverageState(db, actor));
  callRoute(deps, listRecordings, async ({ input: { query }, actor }) => {
    const { start: startUs, end: endUs } = query;
    if (endUs < startUs || endUs - startUs > PAST_DAYS_MAX * 86_400e6) {
      throw new AppError('invalid', { field: 'end', reason: `At most ${PAST_DAYS_MAX} days after the start` });
    }
    return recordingsBetween(db, actor, { startUs, endUs });
  });

  callRoute(deps, listFrames, async ({ input: { query }, actor, audit }) => {
    const { frames, missions } = await framesAt(db, actor, query.time);
    await sessions.read(actor.id, missions, audit);
    return { frames };
  });
}
