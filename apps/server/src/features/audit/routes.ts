import { Readable } from 'node:stream';
import {
  type AuditFilter,
  type AuditVerification,
  exportAudit,
  listAudit,
  listAuditActions,
  verifyAudit,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { aboutNow } from '../../base/audit/about-now.ts';
import { checkpointsInFile, storedCheckpoints } from '../../base/audit/checkpoints.ts';
import { type AuditRepository, chains, isId } from '../../base/audit/repository.ts';
import type { PublicKeys } from '../../base/audit/signing-key.ts';
import { chainVerifier } from '../../base/audit/verify.ts';
import { type Asked, type AuditViews, viewNote } from '../../base/audit/views.ts';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { whileUnchanged } from '../../base/http/still-allowed.ts';
import { exportText } from './export.ts';

export type AuditRoutesDeps = Http & {
  db: Kysely<Database>;
  rows: AuditRepository;
  views: AuditViews;
  /** Where checkpoints are kept outside the database. */
  checkpointFile: string;
  publicKeys: () => Promise<PublicKeys>;
  nowMs: () => number;
};

/** Serves the audit to admins. Each look at the audit adds a row to it: see `views.ts`. */
export function auditRoutes(deps: AuditRoutesDeps): void {
  const { db, rows, nowUs } = deps;
  let verifying: Promise<AuditVerification> | null = null;

  callRoute(deps, listAudit, async ({ input: { query }, actor, session, request, reply, audit }) => {
    const { limit, after, count, ...filter } = query;
    const who = { actor, session: session.credentialId, address: request.ip };
    // The response is sent only after the row of this look is stored, but the search can run in parallel.
    const [{ rows: found, next }, total] = await Promise.all([
      rows.page(actor, query),
      count ? rows.count(actor, query) : null,
      deps.views.note(audit, { ...who, result: 'GET /audit', filter, asked: await askedOf(db, query) }),
    ]);
    if (next !== null) reply.header('x-next-after', next);
    if (total !== null) reply.header('x-total-count', String(total));
    return found;
  });

  callRoute(deps, listAuditActions, () => rows.actions());

  callRoute(deps, exportAudit, async ({ input: { query }, actor, session, request, reply, audit }) => {
    const { format, ...filter } = query;
    const day = new Date(nowUs() / 1000).toISOString().slice(0, 10);
    reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8');
    reply.header('content-disposition', `attachment; filename="audit-${day}.${format}"`);
    reply.header('cache-control', 'private, no-store');
    if (request.method === 'HEAD') return Readable.from([]);
    await audit.write(viewNote(`GET /audit/export ${format}`, await askedOf(db, filter)));
    const keys = [...(await deps.publicKeys()).values()];
    const head = {
      time: nowUs(),
      whole: rows.seesAll(actor) && Object.keys(filter).length === 0,
      publicKeys: keys.map((key) => key.export({ type: 'spki', format: 'pem' }).toString()),
    };
    const all = whileUnchanged(deps, { request, session }, rows.all(actor, filter));
    const text = exportText(format, head, all, await storedCheckpoints(db));
    return Readable.from(text, { objectMode: false });
  });

  callRoute(deps, verifyAudit, async ({ audit }) => {
    await audit.write(viewNote('GET /audit/verify'));
    // Callers during a verification receive its result.
    verifying ??= verifyAll().finally(() => {
      verifying = null;
    });
    return verifying;
  });

  async function verifyAll(): Promise<AuditVerification> {
    const startedMs = deps.nowMs();
    const checkpoints = [...(await storedCheckpoints(db)), ...(await checkpointsInFile(deps.checkpointFile))];
    const verifier = chainVerifier({ checkpoints, keys: await deps.publicKeys(), isComplete: true });
    for await (const batch of chains(db)) for (const row of batch) verifier.row(row);
    const verified = verifier.end();
    return { ...verified, holds: verified.faults.length === 0, durationMs: Math.round(deps.nowMs() - startedMs) };
  }
}

/** Describes a search for the audit. Names are left out, as everywhere in the audit. */
const textOf = (filter: AuditFilter): string =>
  Object.entries(filter)
    .map(([key, value]) => `${key}=${isName(key, value) ? '(name)' : String(value)}`)
    .join(' ');

/** Returns the search with the label of the item searched for. The row's subject is the audit, not that item. */
async function askedOf(db: Kysely<Database>, filter: AuditFilter): Promise<Asked> {
  const { item } = filter;
  const about = item !== undefined && isId(item) ? await aboutNow(db, item) : {};
  return { text: textOf(filter), itemLabel: about.itemLabel ?? null };
}

const isName = (key: string, value: unknown): boolean => (key === 'actor' || key === 'item') && !isId(String(value));
